import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import i18next from "i18next";
import { german as windowGerman } from "../../main/texts-de.ts";
import { english as windowEnglish } from "../../main/texts-en.ts";
import { problem, type Reason } from "../../server/errors.ts";
import { errorTexts } from "../../server/locales/en/errors.ts";
import { Refusal } from "../../ui/api/client.ts";
import { de } from "../../ui/locales/de/all.ts";
import { errors as german } from "../../ui/locales/de/errors.ts";
import { en } from "../../ui/locales/en.ts";
import { errors as english } from "../../ui/locales/en-errors.ts";
import type { ErrorText } from "../../ui/locales/error-texts.ts";
import { causeInWords, loadErrors, problemInWords } from "../../ui/locales/i18n.ts";
import { errorMessage } from "../../ui/parts/error-messages.ts";

// The types show that each reason has a German text: ErrorTexts.

const root = fileURLToPath(new URL("../..", import.meta.url));
const reasons = Object.keys(errorTexts) as Reason[];
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
const forms = (text: ErrorText) => (typeof text === "string" ? [text] : [text.one, text.other]);

const sources = ["server", "main"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("locales"))
    .map((path) => readFileSync(join(root, top, path), "utf8")),
);

test("the server or the desktop app uses every reason", () => {
  const used = new Set(sources.flatMap((text) => [...text.matchAll(/"([a-z][a-z0-9_]+)"/g)].map(([, name]) => name)));
  // `${kind}_not_permitted`
  const ends = sources.flatMap((text) => [...text.matchAll(/\}(_[a-z_]+)`/g)].map(([, end]) => end as string));
  const unused = reasons.filter((reason) => !used.has(reason) && !ends.some((end) => reason.endsWith(end)));
  assert.deepEqual(unused, []);
});

/** For programs: the command line, and the fields of a bot's own response. */
const FOR_PROGRAMS = /^(?:passphrase_variable_missing|response_widget_.*)$/;

const internal = (text: string) => /[A-Z]{2,}_[A-Z]|\b[a-z]+_[a-z]/.test(text.replace(/\{\{?[^}]*\}?\}/g, ""));

test("errors in pages contain no internal names", () => {
  const shown = reasons.flatMap((reason) => [english[reason] ?? errorTexts[reason], german[reason]]);
  const named = reasons.filter((_, at) =>
    shown
      .slice(2 * at, 2 * at + 2)
      .flatMap(forms)
      .some(internal),
  );
  assert.deepEqual(
    named.filter((reason) => !FOR_PROGRAMS.test(reason)),
    [],
  );
});

test("texts of the pages contain no internal names", () => {
  const textsIn = (part: object): string[] =>
    Object.values(part).flatMap((text) => (typeof text === "string" ? text : textsIn(text)));
  for (const texts of [en, de, windowEnglish, windowGerman] as object[]) {
    const named = textsIn(texts).filter(internal);
    assert.deepEqual(
      named.filter((text) => text !== en.emoji.nameExample && text !== de.emoji.nameExample),
      [],
    );
  }
});

test("texts of the pages only use the params of their reason", () => {
  for (const texts of [german, english])
    for (const [reason, text] of Object.entries(texts)) {
      const params = namesIn(errorTexts[reason as Reason]);
      const unknown = forms(text)
        .flatMap(namesIn)
        .filter((name) => !params.includes(name));
      assert.deepEqual(unknown, [], reason);
    }
});

test("texts of the pages do not show names of parameters", () => {
  for (const texts of [german, english])
    for (const [reason, text] of Object.entries(texts))
      for (const form of forms(text)) assert.ok(!namesIn(form).includes("parameter"), reason);
});

/** Until the end of the test. */
async function inGerman(t: TestContext): Promise<void> {
  await i18next.changeLanguage("de");
  await loadErrors();
  t.after(() => i18next.changeLanguage("en"));
}

test("a count selects the form", async () => {
  await loadErrors("en");
  const params = (count: number) => ({ parameter: "name", count, length: 3 });
  assert.equal(problemInWords(problem("too_long", params(1))), "Must have at most 1 character.");
  assert.equal(problemInWords(problem("too_long", params(2))), "Must have at most 2 characters.");
});

test("pages show a refusal in the user's language", async (t) => {
  const answer = {
    code: "BAD_REQUEST",
    msg: "name is not valid JSON.",
    reason: "not_json",
    params: { parameter: "name" },
  };
  await loadErrors("en");
  assert.equal(errorMessage(new Refusal(400, answer)), "Not valid JSON.");
  await inGerman(t);
  assert.equal(errorMessage(new Refusal(400, answer)), "Ist kein gültiges JSON.");
});

test("pages show the server's message for an unknown reason", async (t) => {
  await inGerman(t);
  const refusal = new Refusal(400, { msg: "Too blue.", code: "BAD_REQUEST", reason: "too_blue", params: {} });
  assert.equal(errorMessage(refusal), "Too blue.");
  assert.equal(errorMessage(new Refusal(502, { msg: "Bad gateway" })), "Bad gateway");
});

test("a problem contains its cause", async (t) => {
  const failed = problem("backup_write_failed", { folder: "/b", cause: problem("cause_disk_full") });
  await inGerman(t);
  assert.equal(
    problemInWords(failed),
    "Die Sicherung konnte nicht in /b geschrieben werden: der Datenträger ist voll.",
  );
});

test("pages show problems of the desktop app", async (t) => {
  await inGerman(t);
  assert.equal(errorMessage(problem("no_folder_chosen")), german.no_folder_chosen);
});

test("translates Node's errors", async (t) => {
  await inGerman(t);
  assert.equal(causeInWords("ENOSPC: no space left on device, write"), "der Datenträger ist voll (ENOSPC)");
  assert.equal(causeInWords("Something else"), "Something else");
});
