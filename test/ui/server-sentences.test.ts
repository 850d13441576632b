import assert from "node:assert/strict";
import { test } from "node:test";
import i18next from "i18next";
import { errorTexts } from "../../main/texts.ts";
import { FolderMoved, UnfinishedCopy } from "../../server/host/backups/move-marks.ts";
import { hearthListensText } from "../../server/host/supervisor/listening.ts";
import { FolderInUse, NoLocks } from "../../server/host/supervisor/lock.ts";
import { type MoveProblem, moveProblemText } from "../../server/host/supervisor/move-target.ts";
import { FolderTaken } from "../../server/storage/errors.ts";
import { Refusal } from "../../ui/api/client.ts";
import { desktopSentences } from "../../ui/locales/de/desktop-sentences.ts";
import { serverSentences as german } from "../../ui/locales/de/server-sentences.ts";
import { serverSentences as english } from "../../ui/locales/en/server-sentences.ts";
import { addTexts, causeInWords } from "../../ui/locales/i18n.ts";
import { type ServerSentences, templateOf, translated } from "../../ui/locales/server-sentences.ts";
import { errorMessage, inWords } from "../../ui/parts/error-messages.ts";
import { sentencesIn, serverSentences } from "../support/server-sentences.ts";

// The server's refusals in the texts of the pages.

/** Files whose sentences only programs see, and the command line. */
const FOR_PROGRAMS =
  /^(?:integrations\/incoming\/|host\/supervisor\/|search\/narrow-(?:terms|events)|api\/(?:access|actions)\/bot-storage|api\/(?:access|endpoints)\/(?:incoming-webhooks|submessages|typing|navigation-views)|api\/actions\/message-flags|api\/endpoints\/(?:event-queues|not-set-up|push-devices|thumbnails|zcommand)|events\/|http\/(?:body|connections|hostnames|multipart|rate-limits|secure-connections|server|stages|throttle)|pages\.ts)/;
/** Sentences in other files that only programs cause, or that nobody remains to read. */
const EXCLUDED = new Set([
  "propagate_mode is about topics and channels.",
  "Invalid emoji type: it is one of {}.",
  "Give emoji_name or emoji_code.",
  "interface_type is 1 or 2.",
  "service_interface is 1 or 2.",
  "service_payload_url and service_interface are for outgoing webhooks.",
  "stream_names may name at most {} channels.",
  "There is nothing to change: give new_group_name or new_description.",
  "num_before and num_after add up to at most {}.",
  "queue_id needs local_id beside it.",
  "message_ids holds at most {} IDs.",
  "msg_ids holds at most {} IDs.",
  "anchor is a message ID, newest, oldest or first_unread.",
  "The caller has gone.",
  "Name channels in add, in delete or in both.",
  "Send stream_id or stream, not both.",
  "Send {} or {}, not both: they mean the same.",
  "emoji_code and reaction_type need emoji_name beside them.",
  "Bad event queue ID: {}",
  "{} is not UTF-8 in percent-encoding.",
  "Invalid narrow operator: with cannot be negated",
  "timestamp must be from 0 to {}.",
  "message_ids cannot be given beside an anchor.",
  "subscription_data[{}].value of {} must be true or false.",
  "{}value of {} must be true or false.",
  "visibility_policy must be one of: 0, 1, 2, 3.",
  "keys: key {} does not exist.",
  "Invalid size.",
  "A command begins with a slash.",
  "There is no command {}.",
]);

const all = serverSentences();

const MOVE_PROBLEMS = [
  "same",
  "inside",
  "file",
  "missing",
  "not empty",
  "mount",
  "not writable",
  "no locks",
  "too small",
] as const satisfies MoveProblem[];

/** The template of a table that matches this sentence, with or without its parameter, as the pages look it up. */
function templateFor(table: ServerSentences, sentence: string): string | undefined {
  const withoutParameter = sentence.replace(/^(?:\{\}|[a-z_]+)(?:\[\{\}\]\.)?:? ?/, "");
  for (const form of [sentence, withoutParameter]) {
    const found = templateOf(table, form.replaceAll("{}", "(value)"));
    // A value that contains spaces is a sentence that happens to match a shorter one.
    if (found?.values.every((value) => !value.includes(" "))) return found.template;
  }
  return undefined;
}

test("every sentence for users has a German translation", () => {
  assert.ok(all.length > 500);
  const missing = all
    .filter(({ sentence, file }) => !FOR_PROGRAMS.test(file) && !EXCLUDED.has(sentence))
    .filter(({ sentence }) => templateFor(german, sentence) === undefined)
    .map(({ sentence, file }) => `${sentence}  (${file})`);
  assert.deepEqual(missing, []);
});

test("every translated sentence exists in the server", () => {
  for (const table of [german, english]) {
    const used = new Set(all.map(({ sentence }) => templateFor(table, sentence)));
    assert.deepEqual(
      Object.keys(table).filter((template) => !used.has(template)),
      [],
    );
  }
  const sentences = new Set(all.map(({ sentence }) => sentence));
  assert.deepEqual(
    [...EXCLUDED].filter((sentence) => !sentences.has(sentence)),
    [],
  );
});

test("finds sentences in every source form", () => {
  const found = sentencesIn(`
    const MAX = 5;
    const NOUNS = { a: "Names", b: "Pictures" };
    const REFUSALS = { a: "Bots cannot do this.", b: "Guests cannot do this." };
    const badRequest = (message: string, data?: object) => new ApiError("BAD_REQUEST", message, data);
    const tooMany = (what: string, max: number) => badRequest(\`Keep at most \${max} \${what}.\`);
    function problem(name: string) {
      if (name === "") return "It needs a name.";
      return name.length > MAX ? \`It has at most \${MAX} characters.\` : undefined;
    }
    export function check(name: string, is: boolean, kind: "a" | "b") {
      const reason = problem(name);
      if (reason) throw badRequest(reason);
      if (is) throw badRequest(is ? "It is one." : \`The name \${JSON.stringify(name)} is \${is ? "taken" : "free"}.\`);
      throw is ? tooMany("drafts", 3) : badRequest(REFUSALS[kind] ?? \`\${NOUNS[kind]} are fixed.\`, { name });
    }`);
  assert.deepEqual(found.sort(), [
    "Bots cannot do this.",
    "Guests cannot do this.",
    "It has at most {} characters.",
    "It is one.",
    "It needs a name.",
    "Keep at most {} drafts.",
    "Names are fixed.",
    "Pictures are fixed.",
    "The name {} is free.",
    "The name {} is taken.",
  ]);
});

test("values keep their places in any order, and a count selects the plural", () => {
  const table = {
    "{} was made by {} (really).": "{1} hat {0} gemacht.",
    "{name} must be {}.": "{0}: nur {1}",
    "{} must be text.": "{0}: nur Text",
    "{} has {} of {} items.": { one: "{1} Ding von {2}", other: "{1} Dinge von {2}" },
    "Nothing is here.": "Nichts.",
  };
  assert.equal(translated(table, "A {1} was made by B. C (really)."), "B. C hat A {1} gemacht.");
  assert.equal(translated(table, "name must be 5."), "name: nur 5");
  assert.equal(translated(table, "name must be text."), "name: nur Text", "the most literal one counts");
  assert.equal(translated(table, "It has 1 of 12 items."), "1 Ding von 12");
  assert.equal(translated(table, "It has 12 of 1 items."), "12 Dinge von 1");
  assert.equal(translated(table, "Nothing is here."), "Nichts.");
  for (const unknown of ["Nothing is here", "constructor", "name must be text. Or not", "The header must be 5."])
    assert.equal(translated(table, unknown), undefined);
});

test("shows a refusal without its parameter name, translated", async (t) => {
  t.after(() => i18next.changeLanguage("en"));
  const said = (msg: string, var_name?: string) =>
    errorMessage(new Refusal(400, { msg, code: "BAD_REQUEST", var_name }));
  assert.equal(said("name must have at least 1 characters.", "name"), "Must have at least 1 character.");
  assert.equal(said("name must have at least 2 characters.", "name"), "Must have at least 2 characters.");
  assert.equal(
    said("topics[0].name is too long: at most 60 characters.", "topics"),
    "Is too long: at most 60 characters.",
  );
  assert.equal(
    said("payload_url is not a web address (http:// or https://).", "payload_url"),
    "This is no web address (http:// or https://).",
  );
  assert.equal(said("short_name: 1 to 50 letters.", "short_name"), "1 to 50 letters.");
  assert.equal(said("names are unique here.", "name"), "names are unique here.", "another word");
  assert.equal(said("You may not join this group: insufficient permission."), "You may not join this group.");
  assert.equal(said("Invalid channel ID"), "There is no such channel.");
  assert.equal(said("Something new."), "Something new.");

  await i18next.changeLanguage("de");
  await addTexts({}, async () => ({ texts: {} }));
  assert.equal(said("name must have at least 1 characters.", "name"), "Muss mindestens 1 Zeichen haben.");
  assert.equal(said("Diet must be text.", "data"), "Diet muss Text sein.", "the field of a profile is named");
  assert.equal(said('The channel name "design" is taken.', "name"), "Einen Kanal „design“ gibt es schon.");
  assert.equal(
    said(
      "payload_url: 10.0.0.1 leads to 10.0.0.1 in the local network: an administrator has to choose such an address.",
      "payload_url",
    ),
    "10.0.0.1 führt zu 10.0.0.1 im lokalen Netzwerk: Eine solche Adresse muss ein Administrator wählen.",
  );
  assert.equal(inWords("It answered with the HTTP status 500."), "Die Antwort kam mit dem HTTP-Status 500.");
  assert.equal(said("Something new."), "Something new.");
});

test("translates the desktop's sentences and Node's errors", async (t) => {
  t.after(() => i18next.changeLanguage("en"));
  const node = "ENOSPC: no space left on device, write";
  const reach = [
    errorTexts.folderMissing("/a"),
    errorTexts.folderForbidden("/a"),
    `${errorTexts.folderForbidden("/a")} (EACCES)`,
    errorTexts.folderHoldsOther("/a"),
    errorTexts.noFolderChosen,
    errorTexts.noOldFolder,
    errorTexts.quitting,
    errorTexts.movesInCircles("/a"),
    errorTexts.settingsNotKept(node),
    errorTexts.settingsUnusable("/a", node),
    ...MOVE_PROBLEMS.map((problem) =>
      moveProblemText({ path: "/a/b", bytes: 9, freeBytes: 9, warning: null, problem }),
    ),
    new FolderInUse("/a").message,
    new FolderInUse("/a", "http://x").message,
    new NoLocks("/a").message,
    new FolderTaken("/a").message,
    new FolderMoved("/a", "/b").message,
    new UnfinishedCopy("/a", "/b").message,
    hearthListensText({ host: "::", port: 80 }, "http://x"),
    "Port 80 of :: is in use by another program. Stop that one, or choose another port.",
    "This user may not open port 80 of ::. Choose one above 1023.",
  ];
  const said = (sentence: string) => errorMessage(new Error(sentence));
  for (const sentence of reach) assert.equal(said(sentence), sentence);
  await i18next.changeLanguage("de");
  await addTexts({}, async () => ({ texts: {} }));
  for (const sentence of reach) assert.notEqual(said(sentence), sentence);
  assert.equal(
    said(errorTexts.settingsNotKept(node)),
    "Hearths Einstellungen ließen sich nicht schreiben, es hat sich also nichts geändert: auf der Platte ist kein Platz mehr (ENOSPC)",
  );
  assert.equal(
    said("/a cannot be the data folder: there is no room left on its disk."),
    "/a kann nicht der Datenordner sein: auf der Platte ist kein Platz mehr.",
  );
  assert.equal(
    said("Port 80 of :: cannot be opened: listen EAFNOSUPPORT: address family not supported ::"),
    "Port 80 von :: lässt sich nicht öffnen: listen EAFNOSUPPORT: address family not supported ::",
    "an unknown cause keeps Node's words",
  );
  assert.equal(inWords("ENOENT: no such file or directory, open '/a/b c'"), "Das gibt es nicht (ENOENT: /a/b c)");
  assert.equal(
    inWords("The connection failed: read ECONNRESET"),
    "Die Verbindung ist gescheitert: die Verbindung wurde abgebrochen (ECONNRESET)",
  );
  assert.equal(said("Zwei Wörter"), "Zwei Wörter");
  assert.equal(causeInWords("getaddrinfo ENOTFOUND a.example"), "den Namen des Hosts gibt es nicht (ENOTFOUND)");
  assert.equal(causeInWords("0.9.1"), "0.9.1");
});

test("no translation omits a value by a wrong number", () => {
  for (const table of [german, english, desktopSentences])
    for (const [template, words] of Object.entries(table)) {
      const values = template.split(/\{(?:name)?\}/).length - 1;
      for (const form of typeof words === "string" ? [words] : [words.one, words.other])
        for (const [, index] of form.matchAll(/\{(\d)\}/g)) assert.ok(Number(index) < values, `${template}: ${form}`);
    }
});
