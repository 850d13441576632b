import { auditInWords, type TextAt } from "../../ui/locales/audit-words.ts";
import { channelTexts as germanChannels } from "../../ui/locales/de/channels.ts";
import { groupTexts as germanGroups } from "../../ui/locales/de/groups.ts";
import { newMemberTexts as germanNewMembers } from "../../ui/locales/de/new-members.ts";
import { overviewTexts as germanOverview } from "../../ui/locales/de/overview.ts";
import { safetyTexts as germanSafety } from "../../ui/locales/de/safety.ts";
import { settingsTexts as germanSettings } from "../../ui/locales/de/settings.ts";
import { channelTexts } from "../../ui/locales/en/channels.ts";
import { groupTexts } from "../../ui/locales/en/groups.ts";
import { newMemberTexts } from "../../ui/locales/en/new-members.ts";
import { overviewTexts } from "../../ui/locales/en/overview.ts";
import { safetyTexts } from "../../ui/locales/en/safety.ts";
import { settingsTexts } from "../../ui/locales/en/settings.ts";
import type { AuditEntry } from "../queries/audit.ts";

/* The words of the pages, by their keys: what somebody reads there is what the audit is searched by. */

interface Texts {
  readonly [key: string]: string | Texts;
}

/** The texts by their keys, laid out when one is asked for first: most servers start without a search of the audit. */
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

const english = textsOf(overviewTexts, settingsTexts, newMemberTexts, safetyTexts, channelTexts, groupTexts);
const german = textsOf(germanOverview, germanSettings, germanNewMembers, germanSafety, germanChannels, germanGroups);

/** The entry as the English pages say it, which is how files name things. */
export const auditInEnglish = (entry: AuditEntry): string => auditInWords(entry, english);

/** The entry in each language of the pages: a search does not know in which one it was read. */
export const auditInAllLanguages = (entry: AuditEntry): string[] =>
  [english, german].map((texts) => auditInWords(entry, texts));
