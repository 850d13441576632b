import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./support/protocol-tables.ts";

const page = new URL("../docs/protocol.md", import.meta.url);
writeFileSync(page, withTables(readFileSync(page, "utf8")));
