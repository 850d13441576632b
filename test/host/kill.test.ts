import test from "node:test";
import { killUnderLoad } from "./killing.ts";

test("5 kills under load lose no acknowledged message or queue", (t) => killUnderLoad(t, 5));
