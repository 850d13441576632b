import type { AuditKind } from "../../../../server/api/actions/audit.ts";
import type { Input } from "../../../api/client.ts";
import type { PageSearch } from "../../page-search.ts";

export const AUDIT_KINDS: readonly AuditKind[] = [
  "people",
  "groups",
  "invitations",
  "channels",
  "bots",
  "organization",
  "server",
];

export type AuditFilter = Omit<Input<"GET /host/audit/acts">, "before" | "limit">;

/** A change of the URL that removes all filters. */
export const NO_FILTER: PageSearch = {
  q: undefined,
  kind: undefined,
  by: undefined,
  person: undefined,
  channel: undefined,
  since: undefined,
  until: undefined,
};

export const isFiltered = (search: PageSearch): boolean => Object.keys(NO_FILTER).some((name) => search[name]);

/** The filters in the URL, without invalid values. Days are in the time zone of this machine. */
export function filterOf(search: PageSearch): AuditFilter {
  const id = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined);
  const filter = {
    text: search.q?.trim().slice(0, 200) || undefined,
    kind: AUDIT_KINDS.find((kind) => kind === search["kind"]),
    actor_id: id(search["by"]),
    user_id: id(search["person"]),
    channel_id: id(search["channel"]),
    since: startOfDay(search["since"], 0),
    until: startOfDay(search["until"], 1),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The start of a day such as `2026-11-22`, or of the day `later` days after it, in milliseconds since the epoch. */
function startOfDay(text: string | undefined, later: number): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? "") ?? [];
  if (!year) return undefined;
  const time = new Date(Number(year), Number(month) - 1, Number(day) + later).getTime();
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}
