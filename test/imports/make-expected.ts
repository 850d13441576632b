import { writeFileSync } from "node:fs";
import { expectedFile, FIXTURES, linesOfFixture } from "./fixtures.ts";

// Writes what the readers find in the fixtures. Run it after a change of a reader, and review the difference.
for (const name of FIXTURES) writeFileSync(expectedFile(name), `${(await linesOfFixture(name)).join("\n")}\n`);
