import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { openArchive } from "../../server/imports/archive.ts";
import { discordReader, isDiscord } from "../../server/imports/formats/discord.ts";
import { isTeams, teamsReader } from "../../server/imports/formats/teams.ts";
import { organizationOf, summary } from "./memory-archive.ts";

/* The complete organizations in the sample exports: fixtures/README.md. */

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const expected = (name: string): unknown => JSON.parse(readFileSync(fixture(`${name}.expected.json`), "utf8"));

test("reads the sample of Discord", async () => {
  const archive = await openArchive(fixture("discord"), "unused");
  assert.deepEqual([await isDiscord(archive), await isTeams(archive)], [true, false]);
  assert.deepEqual(summary(await organizationOf(discordReader(archive))), expected("discord"));
});

test("reads the sample of Teams", async () => {
  const archive = await openArchive(fixture("teams"), "unused");
  assert.deepEqual([await isDiscord(archive), await isTeams(archive)], [false, true]);
  assert.deepEqual(summary(await organizationOf(teamsReader(archive))), expected("teams"));
});
