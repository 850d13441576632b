import type { TFunction } from "i18next";
import type { Answer } from "../../../api/client.ts";
import { fieldName } from "../../../locales/audit-words.ts";
import { textAt } from "../../../locales/i18n.ts";
import { ROLES, type Role, roleName } from "../../../parts/settings/roles.ts";
import { languageName } from "../../settings/languages.ts";
import { NEW_MEMBER_SECTIONS } from "../../settings/new-member-settings.ts";
import { ORGANIZATION_SECTIONS } from "../../settings/organization-settings.ts";
import { periodInWords } from "../../settings/period-in-words.ts";
import { PERMISSION_SECTIONS } from "../../settings/permission-settings.ts";
import type { Setting } from "../../settings/setting.ts";

export type AuditNames = Answer<"GET /host/audit/acts">["names"];
interface Named {
  readonly id: number;
  readonly name: string;
}
/** With what the live state has names of. */
export type Names = AuditNames & {
  readonly groups: readonly Named[];
  readonly folders: readonly Named[];
  readonly profileFields: readonly Named[];
};
type Entry = Pick<Answer<"GET /host/audit/acts">["acts"][number], "action" | "target" | "before" | "after">;

/** What a field held and holds; undefined on the side that says nothing. */
export interface ChangedField {
  /** In words; empty where the whole value changed. */
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

type Kind = "person" | "channel" | "group" | "folder" | "profile field" | "role" | "time" | "retention" | "plain";

/** Fields whose values are ids, or numbers that stand for something, in entries of the audit. */
const KINDS: Readonly<Record<string, Kind>> = {
  role: "role",
  expires_at: "time",
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
/** Those of the organization; those of channels and groups all end in `_group`. */
const PERMISSIONS: ReadonlySet<string> = new Set(PERMISSION_SECTIONS.flatMap(({ permissions }) => permissions));
/** Actions whose value as a whole is that. */
const KINDS_OF_ACTIONS: Readonly<Record<string, Kind>> = {
  "change role": "role",
  "subscribe users": "person",
  "unsubscribe users": "person",
  "change bot owner": "person",
  "change channels of default channel group": "channel",
  "reorder channel folders": "folder",
  "reorder profile fields": "profile field",
};

/** What an entry says of values, field by field. */
export function changesIn(entry: Entry, names: Names, t: TFunction): ChangedField[] {
  const { before, after, action } = entry;
  const setting = settingOf(entry.target);
  const isGroup = kindOf("", setting?.id ?? "") === "group";
  const fields = isGroup
    ? []
    : [...new Set([before, after].flatMap((value) => (isRecord(value) ? Object.keys(value) : [])))];
  if (fields.length === 0) {
    if (before === null && after === null) return [];
    const kind = kindOf(action, setting?.id ?? "");
    const shown = (value: unknown) =>
      (setting && settingInWords(setting, value, names, t)) ?? inWords(value, kind, names, t);
    // Only settings have values that are null; elsewhere it means that nothing was recorded.
    const recorded = (value: unknown) => (value === null && !/ setting /.test(entry.target) ? undefined : value);
    const [from, to] = [recorded(before), recorded(after)];
    return differing([{ field: "", from: side(from, to, shown), to: side(to, from, shown) }]);
  }
  return differing(
    fields.map((field) => {
      const kind = kindOf("", field);
      const shown = (value: unknown) => choiceInWords(action, field, value) ?? inWords(value, kind, names, t);
      const [from, to] = [fieldOf(before, field), fieldOf(after, field)];
      return {
        field: action === "change profile" ? profileFieldName(Number(field), names, t) : fieldName(field, textAt),
        from: before === null ? undefined : side(from, to, shown),
        to: after === null ? undefined : side(to, from, shown),
      };
    }),
  );
}

/** A value, in words; nothing where the other side alone says something. */
const side = (value: unknown, other: unknown, shown: (value: unknown) => string): string | undefined =>
  value === undefined || (value === null && other === null) ? undefined : shown(value);

const differing = (changes: ChangedField[]): ChangedField[] => changes.filter(({ from, to }) => from !== to);

function kindOf(action: string, field: string): Kind {
  const kind = KINDS_OF_ACTIONS[action] ?? KINDS[field];
  return kind ?? (PERMISSIONS.has(field) || /^can_.+_group$/.test(field) ? "group" : "plain");
}

const profileFieldName = (id: number, { profileFields }: Names, t: TFunction): string =>
  nameIn(profileFields, id) ?? t("auditPage.someField", { id });

/** Where a setting stands in the registry of the pages; undefined for one without a control there. */
interface KnownSetting {
  readonly id: string;
  readonly setting: Setting | undefined;
  /** The key of what its values are called. */
  readonly values: string;
}

function settingOf(target: string): KnownSetting | undefined {
  const [, kind, id = ""] = /^(organization|default) setting (.+)$/.exec(target) ?? [];
  if (kind === undefined) return undefined;
  const isDefault = kind === "default";
  const sections: readonly { settings: readonly Setting[] }[] = isDefault ? NEW_MEMBER_SECTIONS : ORGANIZATION_SECTIONS;
  const setting = sections.flatMap(({ settings }) => settings).find((one) => one.id === id);
  return { id, setting, values: isDefault ? `newMembers.settings.${id}.values` : `organization.${id}.choices` };
}

/** As the setting's control shows the value; undefined where it shows the value itself. */
function settingInWords(
  { setting, values }: KnownSetting,
  value: unknown,
  names: Names,
  t: TFunction,
): string | undefined {
  switch (setting?.kind.type) {
    case "choice":
      return textAt(`${values}.${value}`);
    case "period":
      return value === null ? t("settings.always") : periodInWords(Number(value), "seconds", t);
    case "days":
      return retentionInWords(value, t);
    case "channel":
      return value === -1 ? t("settings.noChannel") : inWords(value, "channel", names, t);
    case "language":
      return languageName(String(value));
    default:
      return undefined;
  }
}

const retentionInWords = (value: unknown, t: TFunction): string => {
  if (value === null) return t("channels.retention.organization");
  return value === -1 ? t("settings.never") : periodInWords(Number(value), "days", t);
};

/** A value that stands for something which a page has a word for. */
function choiceInWords(action: string, field: string, value: unknown): string | undefined {
  if (action === "make export" && field === "type") return textAt(`exports.types.${value}`);
  return field === "topics_policy" ? textAt(`channels.topicsPolicies.${value}`) : undefined;
}

const nameIn = (all: readonly Named[], id: number): string | undefined => all.find((one) => one.id === id)?.name;

/** A group by its id, or people and groups: docs/protocol.md#group-settings. */
function groupInWords(value: unknown, names: Names, t: TFunction): string {
  if (typeof value === "number") {
    const name = nameIn(names.groups, value);
    const role = /^role:(.+)$/.exec(name ?? "")?.[1];
    return (role && textAt(`permissions.roles.${role}`)) ?? name ?? t("auditPage.someGroup", { id: value });
  }
  const people = fieldOf(value, "direct_members");
  const groups = fieldOf(value, "direct_subgroups");
  const parts = [
    ...(Array.isArray(people) ? people.map((id) => inWords(id, "person", names, t)) : []),
    ...(Array.isArray(groups) ? groups.map((id) => groupInWords(id, names, t)) : []),
  ];
  return parts.length === 0 ? t("auditPage.nobody") : parts.join(", ");
}

function inWords(value: unknown, kind: Kind, names: Names, t: TFunction): string {
  if (kind === "retention") return retentionInWords(value, t);
  if (value === null || value === undefined || value === "") return t("auditPage.nothing");
  if (Array.isArray(value)) {
    if (value.length === 0) return t("auditPage.nothing");
    return value.map((one) => inWords(one, kind, names, t)).join(", ");
  }
  if (kind === "group") return groupInWords(value, names, t);
  if (typeof value === "boolean") return t(value ? "auditPage.on" : "auditPage.off");
  if (typeof value === "number") {
    if (kind === "person") return names.users[value] ?? t("auditPage.someone", { id: value });
    if (kind === "channel") return names.channels[value] ?? t("auditPage.someChannel", { id: value });
    if (kind === "folder") return nameIn(names.folders, value) ?? t("auditPage.someFolder", { id: value });
    if (kind === "profile field") return profileFieldName(value, names, t);
    if (kind === "role" && ROLES.includes(value as Role)) return roleName(value, t);
    if (kind === "time") return new Date(value).toLocaleString();
    return String(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldOf = (value: unknown, field: string): unknown => (isRecord(value) ? value[field] : undefined);
