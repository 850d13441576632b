import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { markdownOf, type Names } from "../../server/imports/markdown.ts";
import type { FileSource, ImportedMessage } from "../../server/imports/model.ts";
import type { Survey } from "../../server/imports/survey.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import type { Expected } from "./generators/expected.ts";
import { GENERATED } from "./generators/formats.ts";
import { surveyExport } from "./survey-export.ts";

const MESSAGES = IS_LONG_RUN ? 100_000 : 500;

const names: Names = {
  person: (name) => ({ id: 1, name }),
  channel: (name) => ({ id: 1, name }),
  message: (place, id) => `/#narrow/${place}/${id}`,
  file: (id) => `/user_uploads/${id}`,
};

/** Values of the same meaning in the same form. JSON leaves out what is undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const sorted = (things: readonly { id?: string; name?: string; memberIds?: readonly string[] }[]): unknown =>
  plain(things.map((thing) => (thing.memberIds ? { ...thing, memberIds: [...thing.memberIds].sort() } : thing)));

/** Markdown can have two marks of lists, and two forms of URLs. */
const shown = (message: ImportedMessage): unknown => {
  const text = markdownOf(message.text, names);
  return plain({ ...message, text: text.replace(/^\* /gm, "- ").replace(/\[(https:\S+)\]\(\1\)/g, "$1") });
};

const byId = <T extends { id: string }>(things: readonly T[]): T[] => things.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const byName = <T extends { name: string }>(things: readonly T[]): T[] =>
  things.toSorted((a, b) => (a.name < b.name ? -1 : 1));

function assertLists(found: Survey, expected: Expected): void {
  assert.deepEqual(sorted(byId(found.people)), sorted(byId(expected.people)));
  assert.deepEqual(sorted(byId(found.channels)), sorted(byId(expected.channels)));
  assert.deepEqual(sorted(byId(found.conversations)), sorted(byId(expected.conversations)));
  assert.deepEqual(sorted(byName(found.emoji)), sorted(byName(expected.emoji)));
}

/** Counts of the model, in the same form as in a survey. Custom emoji without a picture in the export are unknown. */
function countsOf({ emoji, messages }: Expected): Survey["places"] {
  const places: Survey["places"] = {};
  const known = new Set(emoji.flatMap(({ name, picture }) => (isInside(picture) ? name : [])));
  for (const { place, sentAt, reactions, files } of messages()) {
    const months = places[place] ?? {};
    places[place] = months;
    const month = new Date(sentAt).toISOString().slice(0, 7);
    const counts = months[month] ?? { messages: 0, reactions: 0, files: 0, bytes: 0, elsewhere: 0, missing: 0 };
    months[month] = counts;
    counts.messages++;
    for (const { emoji, personIds } of reactions)
      counts.reactions += "character" in emoji || known.has(emoji.name) ? personIds.length : 0;
    for (const { source, size = 0 } of files) {
      const isElsewhere = typeof source === "object" && "url" in source;
      counts.elsewhere += isElsewhere ? 1 : 0;
      counts.files += isElsewhere ? 0 : 1;
      counts.bytes += isElsewhere ? 0 : size;
    }
  }
  return places;
}

const isInside = (picture: FileSource): boolean => typeof picture === "object" && !("url" in picture);

/** Things that are left out, with reactions of unknown emoji. */
function leftOutOf({ messages, leftOut }: Expected, places: Survey["places"]): Survey["leftOut"] {
  const written = [...messages()].flatMap(({ reactions }) => reactions.map(({ personIds }) => personIds.length));
  const counted = Object.values(places).flatMap((months) => Object.values(months).map(({ reactions }) => reactions));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const unknown = sum(written) - sum(counted) + (leftOut["reactions of unknown emoji"] ?? 0);
  return unknown > 0 ? { ...leftOut, "reactions of unknown emoji": unknown } : leftOut;
}

async function assertSame(t: TestContext, format: string, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-export-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "export");
  const expected = await GENERATED[format]!.write(path, { seed, messages: MESSAGES });
  const messages = expected.messages()[Symbol.iterator]();
  const survey = await surveyExport(format, path, (message) =>
    assert.deepEqual(shown(message), shown(messages.next().value as ImportedMessage)),
  );
  assert.equal(messages.next().done, true);
  assertLists(survey, expected);
  const places = countsOf(expected);
  assert.deepEqual(survey.places, places);
  assert.deepEqual(survey.leftOut, leftOutOf(expected, places));
  return path;
}

const HEAP_MB = 96;

/** Reads in a process of its own, which ends if its heap needs more. */
async function assertLittleMemory(format: string, path: string): Promise<void> {
  const script = fileURLToPath(new URL("survey-export.ts", import.meta.url));
  const run = promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP_MB}`, script, format, path]);
  assert.equal((await run).stdout.trim(), String(MESSAGES));
}

for (const format of Object.keys(GENERATED)) {
  test(`reads all of a random export of ${format}`, async (t) => {
    if (IS_LONG_RUN) await assertLittleMemory(format, await assertSame(t, format, 1));
    else for (const seed of [1, 2, 3]) await assertSame(t, format, seed);
  });
}
