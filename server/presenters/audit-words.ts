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

function textsOf(...catalogues: readonly Texts[]): TextAt {
  const byKey = new Map<string, string>();
  const add = (texts: Texts, path: string): void => {
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === "string") byKey.set(`${path}${key}`, text);
      else add(text, `${path}${key}.`);
    }
  };
  for (const texts of catalogues) add(texts, "");
  return (key) => byKey.get(key);
}

const english = textsOf(overviewTexts, settingsTexts, newMemberTexts, safetyTexts, channelTexts, groupTexts);
const german = textsOf(germanOverview, germanSettings, germanNewMembers, germanSafety, germanChannels, germanGroups);

/** The entry as the English pages say it, which is how files name things. */
export const auditInEnglish = (entry: AuditEntry): string => auditInWords(entry, english);

/** The entry in each language of the pages: a search does not know in which one it was read. */
export const auditInAllLanguages = (entry: AuditEntry): string[] =>
  [english, german].map((texts) => auditInWords(entry, texts));
