import test from "node:test";
import { killUnderLoad } from "./killing.ts";

test("1,000 kills under load lose nothing that was acknowledged, and every queue goes on", (t) =>
  killUnderLoad(t, 1000));
