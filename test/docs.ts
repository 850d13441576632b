import { readFileSync, writeFileSync } from "node:fs";
import { withTables } from "./support/protocol-tables.ts";

// npm run docs: writes the tables of docs/protocol.md from the declarations in server/.

const page = new URL("../docs/protocol.md", import.meta.url);
writeFileSync(page, withTables(readFileSync(page, "utf8")));
