import { fieldName, fieldOf, isRecord, type TextAt } from "./audit-words.ts";
import { periodInWords } from "./period-in-words.ts";

/* Texts for the values of a change in the audit, for its page and for the server's search and CSV table. */

/** The fields of an audit entry that determine the texts of its values. */
interface Change {
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Kinds of things whose ids are shown as names. */
export type NamedKind = "person" | "channel" | "group" | "folder" | "profile field";

/** The texts and formats in the reader's language. */
export interface ValueWords {
  readonly textAt: TextAt;
  /** The text of a key with placeholders. If the text has plural forms, `values.count` selects one. */
  say(key: string, values: Readonly<Record<string, number>>): string;
  /** Undefined if it no longer exists. */
  nameOf(kind: NamedKind, id: number): string | undefined;
  languageName(code: string): string;
  /** Milliseconds since the epoch. */
  time(at: number): string;
}

/** The old and new value of a field; undefined on a side without a value. */
export interface ChangedField {
  /** The displayed name; empty if the whole value changed. */
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

type Kind = NamedKind | "role" | "time" | "retention" | "plain";

/** Fields of audit entries whose values are ids, or numbers with a special meaning. */
const KINDS: Readonly<Record<string, Kind>> = {
  role: "role",
  expires_at: "time",
  made_at: "time",
  message_retention_days: "retention",
  folder_id: "folder",
  members: "person",
  add: "person",
  remove: "person",
  invited_by: "person",
  direct_members: "person",
  channels: "channel",
  streams: "channel",
  groups: "group",
  subgroups: "group",
  addSubgroups: "group",
  removeSubgroups: "group",
  direct_subgroups: "group",
};
/** Actions whose whole value is of this kind. */
const KINDS_OF_ACTIONS: Readonly<Record<string, Kind>> = {
  "change role": "role",
  "subscribe users": "person",
  "unsubscribe users": "person",
  "change bot owner": "person",
  "change channels of default channel group": "channel",
  "reorder channel folders": "folder",
  "reorder profile fields": "profile field",
  "doubt the clock": "time",
};
/** Permissions of the organization, of channels and of groups. */
const PERMISSION = /_group$|^can_.+_groups$/;

function kindOf(action: string, field: string): Kind {
  return KINDS_OF_ACTIONS[action] ?? KINDS[field] ?? (PERMISSION.test(field) ? "group" : "plain");
}

/** How the control of a setting shows its values. Undefined if it shows the value itself, or the name of a choice. */
export function settingKind(id: string): "period" | "days" | "channel" | "language" | undefined {
  if (id.endsWith("_limit_seconds")) return "period";
  if (id === "message_retention_days") return "days";
  if (id.endsWith("_stream_id") || id.endsWith("_channel_id")) return "channel";
  return id === "default_language" ? "language" : undefined;
}

/** The changed values of an entry, by field. */
export function changesIn(change: Change, words: ValueWords): ChangedField[] {
  const { before, after, action, target } = change;
  const [, ofWhat, setting = ""] = /^(organization|default|host) setting (.+)$/.exec(target) ?? [];
  const isWhole = (!isRecord(before) && !isRecord(after)) || kindOf("", setting) === "group";
  if (isWhole) {
    if (before == null && after == null) return [];
    const kind = kindOf(action, setting);
    const shown = (value: unknown) =>
      (ofWhat && settingInWords(ofWhat, setting, value, words)) ?? inWords(value, kind, words);
    // Only settings have null values. In other changes, null means that nothing was recorded.
    const recorded = (value: unknown) => (value === null && !ofWhat ? undefined : value);
    const [old, now] = [recorded(before), recorded(after)];
    const [from, to] = [side(old, now, shown), side(now, old, shown)];
    return from === to ? [] : [{ field: "", from, to }];
  }
  const changes: ChangedField[] = [];
  for (const field of Object.keys({ ...asRecord(before), ...asRecord(after) })) {
    const kind = kindOf("", field);
    const shown = (value: unknown) => choiceInWords(action, field, value, words) ?? inWords(value, kind, words);
    const [old, now] = [fieldOf(before, field), fieldOf(after, field)];
    const from = before == null ? undefined : side(old, now, shown);
    const to = after == null ? undefined : side(now, old, shown);
    if (from === to) continue;
    const name = action === "change profile" ? profileFieldName(Number(field), words) : fieldName(field, words.textAt);
    changes.push({ field: name, from, to });
  }
  return changes;
}

/** The changed values of an entry in a line of text; empty if there are none. */
export function valuesInLine(change: Change, words: ValueWords): string {
  return changesIn(change, words)
    .map(({ field, from, to }) => {
      const values = [from, to].filter((value) => value !== undefined).join(" → ");
      return field === "" ? values : `${field}: ${values}`;
    })
    .join("; ");
}

/** The text of a value. Undefined if only the other side has one. */
const side = (value: unknown, other: unknown, shown: (value: unknown) => string): string | undefined =>
  value === undefined || (value === null && other === null) ? undefined : shown(value);

const profileFieldName = (id: number, { nameOf, say }: ValueWords): string =>
  nameOf("profile field", id) ?? say("auditPage.someField", { id });

/** The value as the setting's control shows it. Undefined if it shows the value itself. */
function settingInWords(ofWhat: string, id: string, value: unknown, words: ValueWords): string | undefined {
  const { textAt } = words;
  if (ofWhat === "default") return textAt(`userSettings.${id}.choices.${value}`);
  if (ofWhat !== "organization") return undefined;
  switch (settingKind(id)) {
    case "period":
      return value === null ? textAt("settings.always") : periodInWords(Number(value), "seconds", words.say);
    case "days":
      return retentionInWords(value, words);
    case "channel":
      return value === -1 ? textAt("settings.noChannel") : inWords(value, "channel", words);
    case "language":
      return words.languageName(String(value));
    default:
      return textAt(`organization.${id}.choices.${value}`);
  }
}

function retentionInWords(value: unknown, { textAt, say }: ValueWords): string {
  if (value === null) return textAt("channels.retention.organization") ?? "";
  return value === -1 ? (textAt("settings.never") ?? "") : periodInWords(Number(value), "days", say);
}

/** The text of a value for which a page has a label. */
function choiceInWords(action: string, field: string, value: unknown, { textAt }: ValueWords): string | undefined {
  if (action === "make export" && field === "type") return textAt(`exports.types.${value}`);
  if (field === "type" && action.endsWith("profile field")) return textAt(`profileFields.types.${value}`);
  return field === "topics_policy" ? textAt(`channels.topicsPolicies.${value}`) : undefined;
}

/** The labels of system groups. */
export const groupLabel = (name: string, textAt: TextAt): string =>
  (name.startsWith("role:") ? textAt(`permissions.roles.${name.slice("role:".length)}`) : undefined) ?? name;

/** A group by its id, or a set of people and groups: docs/protocol.md#group-settings. */
function groupInWords(value: unknown, words: ValueWords): string {
  if (typeof value === "number") {
    const name = words.nameOf("group", value);
    return name === undefined ? words.say("auditPage.someGroup", { id: value }) : groupLabel(name, words.textAt);
  }
  const people = fieldOf(value, "direct_members");
  const groups = fieldOf(value, "direct_subgroups");
  const parts = [
    ...(Array.isArray(people) ? people.map((id) => inWords(id, "person", words)) : []),
    ...(Array.isArray(groups) ? groups.map((id) => groupInWords(id, words)) : []),
  ];
  return parts.length === 0 ? (words.textAt("auditPage.nobody") ?? "") : parts.join(", ");
}

/** The texts for items without a current name. */
const NAMELESS = {
  person: "auditPage.someone",
  channel: "auditPage.someChannel",
  folder: "auditPage.someFolder",
  "profile field": "auditPage.someField",
} as const;

/** The maximum value of a Date. */
const MAX_TIME = 8.64e15;

function inWords(value: unknown, kind: Kind, words: ValueWords): string {
  const { textAt } = words;
  if (kind === "retention") return retentionInWords(value, words);
  if (value === null || value === undefined || value === "") return textAt("auditPage.nothing") ?? "";
  if (Array.isArray(value)) {
    if (value.length === 0) return textAt("auditPage.nothing") ?? "";
    return value.map((one) => inWords(one, kind, words)).join(", ");
  }
  if (kind === "group") return groupInWords(value, words);
  if (typeof value === "boolean") return textAt(value ? "auditPage.on" : "auditPage.off") ?? "";
  if (typeof value === "number") {
    if (kind === "role") return textAt(`roles.${ROLE_KEYS[value]}`) ?? String(value);
    if (kind === "time" && Math.abs(value) <= MAX_TIME) return words.time(value);
    if (kind === "time" || kind === "plain") return String(value);
    return words.nameOf(kind, value) ?? words.say(NAMELESS[kind], { id: value });
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** docs/protocol.md#roles: the role's key in the texts. */
const ROLE_KEYS: Readonly<Record<number, string>> = {
  100: "owner",
  200: "administrator",
  300: "moderator",
  400: "member",
  600: "guest",
};

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
