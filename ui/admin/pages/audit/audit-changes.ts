import type { TFunction } from "i18next";
import type { Answer } from "../../../api/client.ts";
import { ROLES, type Role, roleName } from "../../parts/roles.ts";

export type AuditNames = Answer<"GET /host/audit/acts">["names"];
/** With the organization's groups. */
type Names = AuditNames & { readonly groups: readonly { readonly id: number; readonly name: string }[] };
type Entry = Omit<Answer<"GET /host/audit/acts">["acts"][number], "more">;

/** What a field held and holds; undefined on the side that says nothing. */
export interface ChangedField {
  /** In words; empty where the whole value changed. */
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Fields whose values are ids of people or channels, in entries of the audit. */
const PEOPLE_FIELDS: ReadonlySet<string> = new Set(["members", "add", "remove", "invited_by", "direct_members"]);
const CHANNEL_FIELDS: ReadonlySet<string> = new Set(["channels", "streams"]);
const PEOPLE_ACTIONS: ReadonlySet<string> = new Set(["subscribe users", "unsubscribe users", "change bot owner"]);
const CHANNEL_ACTIONS: ReadonlySet<string> = new Set(["change channels of default channel group"]);
const GROUP_FIELDS: ReadonlySet<string> = new Set([
  "groups",
  "subgroups",
  "addSubgroups",
  "removeSubgroups",
  "direct_subgroups",
]);
/** The time of these is in milliseconds since the epoch. */
const TIME_FIELDS: ReadonlySet<string> = new Set(["expires_at"]);

/** What an entry says of values, field by field. */
export function changesIn(entry: Entry, names: Names, t: TFunction): ChangedField[] {
  const { before, after, action } = entry;
  const setting = /^organization setting (.+)$/.exec(entry.target)?.[1] ?? "";
  const isGroup = kindOf(action, setting) === "group";
  const fields = isGroup
    ? []
    : [...new Set([before, after].flatMap((value) => (isRecord(value) ? Object.keys(value) : [])))];
  if (fields.length === 0) {
    if (before === null && after === null) return [];
    const shown = (value: unknown) => inWords(value, kindOf(action, setting), names, t);
    // Only settings have values that are null; elsewhere it means that nothing was recorded.
    const isSetting = / setting /.test(entry.target);
    const recorded = (value: unknown) => (value === null && !isSetting ? undefined : value);
    const [from, to] = [recorded(before), recorded(after)];
    return differing([{ field: "", from: side(from, to, shown), to: side(to, from, shown) }]);
  }
  return differing(
    fields.map((field) => {
      const kind = kindOf(action, field);
      const shown = (value: unknown) => inWords(value, kind, names, t);
      const [from, to] = [fieldOf(before, field), fieldOf(after, field)];
      return {
        field: field.replaceAll("_", " "),
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

type Kind = "person" | "channel" | "group" | "role" | "time" | "plain";

function kindOf(action: string, field: string): Kind {
  if (field === "role" || (field === "" && action === "change role")) return "role";
  if (TIME_FIELDS.has(field)) return "time";
  if (PEOPLE_FIELDS.has(field) || (field === "" && PEOPLE_ACTIONS.has(action))) return "person";
  if (CHANNEL_FIELDS.has(field) || (field === "" && CHANNEL_ACTIONS.has(action))) return "channel";
  if (GROUP_FIELDS.has(field) || /^can_.+_group$/.test(field)) return "group";
  return "plain";
}

/** A group by its id, or people and groups: docs/protocol.md#group-settings. */
function groupInWords(value: unknown, names: Names, t: TFunction): string {
  if (typeof value === "number") {
    const name = names.groups.find(({ id }) => id === value)?.name;
    // Those that are roles have names for programs: role:everyone.
    return name?.replace(/^role:/, "").replaceAll("_", " ") ?? t("auditPage.someGroup", { id: value });
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
    if (kind === "role" && ROLES.includes(value as Role)) return roleName(value, t);
    if (kind === "time") return new Date(value).toLocaleString();
    return String(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldOf = (value: unknown, field: string): unknown => (isRecord(value) ? value[field] : undefined);
