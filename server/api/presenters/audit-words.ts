import { type NamedKind, type ValueWords, valuesInLine } from "../../locales/audit-values.ts";
import { sentenceInLine, type TextAt } from "../../locales/audit-words.ts";
import { channelTexts as germanChannel } from "../../locales/de/channels.ts";
import { exportTexts as germanExport } from "../../locales/de/exports.ts";
import { groupTexts as germanGroup } from "../../locales/de/groups.ts";
import { operatorSettingTexts as germanOperatorSetting } from "../../locales/de/operator-settings.ts";
import { overviewTexts as germanOverview } from "../../locales/de/overview.ts";
import { peopleTexts as germanPeople } from "../../locales/de/people.ts";
import { permissionTexts as germanPermission } from "../../locales/de/permissions.ts";
import { safetyTexts as germanSafety } from "../../locales/de/safety.ts";
import { settingsTexts as germanSettings } from "../../locales/de/settings.ts";
import { userSettingTexts as germanUserSetting } from "../../locales/de/user-settings.ts";
import { channelTexts } from "../../locales/en/channels.ts";
import { exportTexts } from "../../locales/en/exports.ts";
import { groupTexts } from "../../locales/en/groups.ts";
import { operatorSettingTexts } from "../../locales/en/operator-settings.ts";
import { overviewTexts } from "../../locales/en/overview.ts";
import { peopleTexts } from "../../locales/en/people.ts";
import { permissionTexts } from "../../locales/en/permissions.ts";
import { safetyTexts } from "../../locales/en/safety.ts";
import { settingsTexts } from "../../locales/en/settings.ts";
import { userSettingTexts } from "../../locales/en/user-settings.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { AuditEntry } from "../queries/audit.ts";
import { channelFolderById } from "../queries/channel-folders.ts";
import { channelById } from "../queries/channels.ts";
import { type LanguageCode, languageName } from "../queries/languages.ts";
import { profileFields } from "../queries/profile-fields.ts";
import { userGroupById } from "../queries/user-groups.ts";
import { userById } from "../queries/users.ts";

/* Texts of the pages by key. The audit search matches these texts, because users search for what the page shows. */

interface Texts {
  readonly [key: string]: string | Texts;
}

const ENGLISH = [
  channelTexts,
  exportTexts,
  groupTexts,
  operatorSettingTexts,
  overviewTexts,
  peopleTexts,
  permissionTexts,
  safetyTexts,
  settingsTexts,
  userSettingTexts,
];
const GERMAN = [
  germanChannel,
  germanExport,
  germanGroup,
  germanOperatorSetting,
  germanOverview,
  germanPeople,
  germanPermission,
  germanSafety,
  germanSettings,
  germanUserSetting,
];

/** Texts by key. Loaded on first use, since most servers start without an audit search. */
function textsOf(...catalogues: readonly Texts[]): TextAt {
  let byKey: Map<string, string> | undefined;
  return (key) => {
    byKey ??= new Map(catalogues.flatMap((texts) => [...entriesOf(texts, "")]));
    return byKey.get(key);
  };
}

function* entriesOf(texts: Texts, path: string): Generator<[key: string, text: string]> {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === "string") yield [`${path}${key}`, text];
    else yield* entriesOf(text, `${path}${key}.`);
  }
}

const english = textsOf(...ENGLISH);
const german = textsOf(...GERMAN);

/** Resolves the ids in values to current names. */
export type AuditNameOf = ValueWords["nameOf"];

/**
 * Reads each current name once, since a search through years finds the same people and groups repeatedly. Use it for
 * one response, since names change.
 */
export function auditNameOf(reader: Reader): AuditNameOf {
  const profileFieldNames = new Map(profileFields(reader).map(({ id, name }) => [id, name]));
  const nameOf: Record<NamedKind, (id: number) => string | undefined> = {
    person: readOnce((id) => userById(reader, id)?.full_name),
    channel: readOnce((id) => channelById(reader, id)?.name),
    group: readOnce((id) => userGroupById(reader, id)?.name),
    folder: readOnce((id) => channelFolderById(reader, id)?.name),
    "profile field": (id) => profileFieldNames.get(id),
  };
  return (kind, id) => nameOf[kind](id);
}

function readOnce(read: (id: number) => string | undefined): (id: number) => string | undefined {
  const names = new Map<number, string | undefined>();
  return (id) => {
    const name = names.get(id);
    if (name !== undefined || names.has(id)) return name;
    const found = read(id);
    names.set(id, found);
    return found;
  };
}

const wordsIn = (textAt: TextAt, language: string): Omit<ValueWords, "nameOf"> => {
  let numbers: Intl.NumberFormat | undefined;
  /** Created on demand: the first one in a process loads data for all languages, which takes 30 ms. */
  const written = (value: number) => {
    numbers ??= new Intl.NumberFormat(language);
    return numbers.format(value);
  };
  return {
    textAt,
    say(key, values) {
      const form = values["count"] === undefined ? key : `${key}_${values["count"] === 1 ? "one" : "other"}`;
      return (textAt(form) ?? "").replace(/\{\{(\w+)(, number)?\}\}/g, (_, name, isNumber) =>
        isNumber ? written(values[name] ?? 0) : String(values[name] ?? ""),
      );
    },
    languageName: (code) => languageName(code as LanguageCode) ?? code,
    time: (at) => new Date(at).toISOString(),
  };
};
const LANGUAGES = [wordsIn(english, "en"), wordsIn(german, "de")] as const;

/** The entry in English, as exported files contain it. Times are in UTC. */
export const auditInEnglish = (entry: AuditEntry, nameOf: AuditNameOf): string =>
  inLine(entry, { ...LANGUAGES[0], nameOf });

/** The entry in each language of the pages, since a search does not know the reader's language. */
export const auditInAllLanguages = (entry: AuditEntry, nameOf: AuditNameOf): string[] =>
  LANGUAGES.map((words) => inLine(entry, { ...words, nameOf }));

function inLine(entry: AuditEntry, words: ValueWords): string {
  const sentence = sentenceInLine(entry, words.textAt);
  const values = valuesInLine(entry, words);
  return values === "" ? sentence : `${sentence}: ${values}`;
}
