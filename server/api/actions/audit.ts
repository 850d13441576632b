import type { Transaction } from "../../storage/transaction.ts";
import type { ChannelChange } from "../access/channel-settings.ts";
import type { FieldSettings } from "../access/profile-fields.ts";
import type { MemberChange, UserGroupChange } from "../access/user-groups.ts";
import type { WireLinkifier } from "../presenters/linkifiers.ts";
import type { WireDomain } from "../presenters/organization.ts";
import type { WirePlayground } from "../presenters/playgrounds.ts";
import type { Channel } from "../queries/channels.ts";
import type { ExportType } from "../queries/exports.ts";
import type { OperatorSettings } from "../queries/operator-settings.ts";
import type { OrganizationPictureName, OrganizationSettings } from "../queries/organization.ts";
import type { FieldType } from "../queries/profile-fields.ts";
import type { UserGroupSettings } from "../queries/user-groups.ts";
import type { UserSettings } from "../queries/user-settings.ts";
import type { StoredStatus } from "../queries/user-statuses.ts";
import type { Role, User } from "../queries/users.ts";

/** The first entry of each act, by its transaction and by its request. */
const firstEntries = new WeakMap<object, number>();

/**
 * Records an administrative change in the transaction that makes it. `tx.origin` tells how the request came in, for
 * example "desktop" for the operator. A null `actor` is the server itself.
 * All changes of a request are one act: later entries refer to the first entry.
 */
export function recordAudit(tx: Transaction, actor: User | null, change: AuditChange): void {
  const { action, target, before, after }: { action: string; target: string; before?: unknown; after?: unknown } =
    change;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const first = firstEntries.get(tx) ?? firstEntries.get(tx.act);
  const id = tx.run(
    "INSERT INTO audit (at, actor_id, origin, action, target, before, after, first_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    actor?.id ?? null,
    tx.origin,
    action,
    target,
    json(before),
    json(after),
    first ?? null,
  );
  if (first !== undefined) return;
  firstEntries.set(tx, id);
  tx.afterCommit(() => firstEntries.set(tx.act, id));
}

/** Filters of the audit page. */
export const AUDIT_KINDS = ["people", "groups", "invitations", "channels", "bots", "organization", "server"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

const ofKind =
  <Kind extends AuditKind>(kind: Kind) =>
  <Change>() =>
    ({ kind }) as { readonly kind: Kind; readonly change?: Change };
const people = ofKind("people");
const groups = ofKind("groups");
const invitations = ofKind("invitations");
const channels = ofKind("channels");
const bots = ofKind("bots");
const organization = ofKind("organization");
const server = ofKind("server");

/**
 * All administrative changes in the audit, with target and old and new values. server/locales/audit-words.ts has a sentence
 * for each.
 */
const AUDIT_ACTIONS = {
  "create organization": organization<{ target: "organization"; after: { name: string } }>(),
  "change organization setting": organization<Setting<"organization setting", OrganizationSettings>>(),
  "change host setting": server<Setting<"host setting", OperatorSettings>>(),
  "change default setting": organization<Setting<"default setting", UserSettings>>(),
  "change organization picture": organization<
    { target: `organization picture ${OrganizationPictureName}` } & Change<Picture>
  >(),
  "doubt the clock": server<{ target: "clock"; before: number; after: number }>(),
  "make backup": server<Of<"backup", string>>(),
  "delete backup": server<Of<"backup", string>>(),
  "set backup passphrase": server<{ target: "organization" }>(),
  "remove backup passphrase": server<{ target: "organization" }>(),
  "make export": server<Of<"export", string> & { after: { type: ExportType } }>(),
  "delete export": server<Of<"export", string>>(),
  /** By the file's name. */
  "start import": organization<Of<"import", string>>(),
  "finish import": organization<Of<"import", string> & { after: { messages: number } }>(),
  "remove import": organization<Of<"import", string> & { before: { messages: number } }>(),
  /** The lost counts are null if the current data could not be read. */
  "restore backup": server<{
    target: "organization";
    after: { made_at: number; lost_messages: number | null; lost_people: number | null };
  }>(),

  "create user": people<Of<"user"> & { after: Pick<User, "email" | "full_name" | "role" | "is_bot"> }>(),
  "rename user": people<Of<"user"> & Change<{ full_name: string }>>(),
  "change avatar": people<Of<"user"> & Change<Picture>>(),
  "change email": people<Of<"user"> & Change<{ email: string }>>(),
  "change password": people<Of<"user">>(),
  "make sign-in link": people<Of<"user">>(),
  "regenerate API key": people<Of<"user">>(),
  "revoke API key": people<Of<"user">>(),
  "end session": people<Of<"user">>(),
  "change role": people<Of<"user"> & Change<Role>>(),
  "deactivate user": people<Of<"user"> & { before: Pick<User, "full_name" | "role">; after?: { comment: string } }>(),
  "reactivate user": people<Of<"user"> & { after: Pick<User, "full_name" | "role"> }>(),
  "change bot owner": bots<Of<"user"> & { before: number | null; after: number }>(),
  "change webhook address": bots<Of<"user"> & Change<{ base_url: string }>>(),
  "regenerate webhook credential": bots<Of<"user"> & { after: { credential: "token" | "signing_secret" } }>(),
  "pause bot": bots<Of<"user">>(),
  "resume bot": bots<Of<"user">>(),
  /** Delivery IDs. */
  "try webhook deliveries now": bots<Of<"user"> & { after: { deliveries: readonly number[] } }>(),
  "give up webhook delivery": bots<Of<"user"> & { before: { delivery: number; message?: number } }>(),
  "change user status": people<Of<"user"> & Change<StoredStatus>>(),
  /** Values by field ID. */
  "change profile": people<Of<"user"> & Change<Record<string, string>>>(),

  "create invitation link": invitations<Of<"invitation"> & { after: Invited }>(),
  "invite by email": invitations<Of<"invitation"> & { after: Invited }>(),
  "invite imported person": invitations<Of<"user"> & { after: Invited }>(),
  "revoke invitation": invitations<
    Of<"invitation"> & { before: { role: Role; invited_by: number; email?: string; claims?: number } }
  >(),
  "join by invitation": invitations<Of<"user"> & { after: Joined & { invitation: number; invited_by: number } }>(),
  "merge imported account": people<
    Of<"user"> & { after: { full_name: string; email: string; imported_user: number } }
  >(),
  "claim imported account": invitations<
    Of<"user"> & { before: { full_name: string; role: Role }; after: Joined & { invited_by: number } }
  >(),
  "join without invitation": people<Of<"user"> & { after: Joined }>(),
  "add domain": organization<Of<"domain", string> & { after: WireDomain }>(),
  "change domain": organization<Of<"domain", string> & Change<WireDomain>>(),
  "remove domain": organization<Of<"domain", string> & { before: WireDomain }>(),

  "add linkifier": organization<Of<"linkifier"> & { after: LinkifierChange }>(),
  "change linkifier": organization<Of<"linkifier"> & Change<LinkifierChange>>(),
  "remove linkifier": organization<Of<"linkifier"> & { before: LinkifierChange }>(),
  "reorder linkifiers": organization<{ target: "organization" } & Change<readonly number[]>>(),

  "add playground": organization<Of<"playground"> & { after: Omit<WirePlayground, "id"> }>(),
  "remove playground": organization<Of<"playground"> & { before: Omit<WirePlayground, "id"> }>(),

  "create channel": channels<
    Of<"channel"> & {
      after: Pick<Channel, "name" | "invite_only" | "is_web_public" | "history_public_to_subscribers">;
    }
  >(),
  "change channel": channels<Of<"channel"> & Change<ChannelChange>>(),
  "archive channel": channels<Of<"channel"> & { before: { name: string } }>(),
  "unarchive channel": channels<Of<"channel"> & Change<ChannelChange>>(),
  /** User IDs. */
  "subscribe users": channels<Of<"channel"> & { after: readonly number[] }>(),
  "unsubscribe users": channels<Of<"channel"> & { before: readonly number[] }>(),
  "delete topic": channels<Of<"channel"> & { before: { topic: string; messages: number } }>(),

  "create channel folder": channels<Of<"channel folder"> & { after: { name: string; description: string } }>(),
  "rename channel folder": channels<Of<"channel folder"> & Change<{ name: string }>>(),
  "describe channel folder": channels<Of<"channel folder"> & Change<{ description: string }>>(),
  "archive channel folder": channels<Of<"channel folder"> & Change<{ is_archived: boolean }>>(),
  "restore channel folder": channels<Of<"channel folder"> & Change<{ is_archived: boolean }>>(),
  "reorder channel folders": channels<{ target: "channel folders" } & Change<readonly number[]>>(),

  "create default channel group": channels<
    Of<"default channel group"> & { after: Described & { streams: readonly number[] } }
  >(),
  "change default channel group": channels<Of<"default channel group"> & Change<Described>>(),
  "change channels of default channel group": channels<Of<"default channel group"> & Change<readonly number[]>>(),
  "delete default channel group": channels<
    Of<"default channel group"> & { before: Described & { streams: readonly number[] } }
  >(),

  "create user group": groups<
    Of<"user group"> & {
      after: Described & UserGroupSettings & { members: readonly number[]; subgroups: readonly number[] };
    }
  >(),
  "change user group": groups<Of<"user group"> & Change<UserGroupChange["data"]>>(),
  "change members of user group": groups<Of<"user group"> & { after: Partial<Omit<MemberChange, "group">> }>(),
  "deactivate user group": groups<Of<"user group">>(),
  "reactivate user group": groups<Of<"user group">>(),

  "add custom emoji": organization<Of<"custom emoji"> & { after: { name: string } }>(),
  "deactivate custom emoji": organization<Of<"custom emoji"> & { before: { name: string } }>(),

  "create profile field": organization<Of<"profile field"> & { after: FieldSettings & { type: FieldType } }>(),
  "change profile field": organization<Of<"profile field"> & Change<FieldSettings>>(),
  "delete profile field": organization<Of<"profile field"> & { before: FieldSettings & { type: FieldType } }>(),
  "reorder profile fields": organization<{ target: "organization" } & Change<readonly number[]>>(),
};
type AuditActions = typeof AUDIT_ACTIONS;
export type AuditAction = keyof AuditActions;
export type AuditChange = {
  [Action in AuditAction]: { action: Action } & NonNullable<AuditActions[Action]["change"]>;
}[AuditAction];

export const auditActionsOf = (kind: AuditKind): ReadonlySet<string> =>
  new Set(Object.entries(AUDIT_ACTIONS).flatMap(([action, its]) => (its.kind === kind ? [action] : [])));

interface Change<T> {
  before: T;
  after: T;
}

/** Names the target by its type, followed by an ID, a domain or a file name. */
type Of<Noun extends string, Id extends string | number = number> = { target: `${Noun} ${Id}` };

type Setting<Kind extends string, Settings> = { target: `${Kind} ${keyof Settings & string}` } & Change<
  Settings[keyof Settings]
>;

type LinkifierChange = Omit<WireLinkifier, "id">;

interface Picture {
  is_uploaded: boolean;
}

interface Described {
  name: string;
  description: string;
}

/** The audit record of an invitation. Lists contain IDs. */
interface Invited {
  role: Role;
  email?: string;
  channels: readonly number[];
  groups: readonly number[];
  default_channels: boolean;
  /** Milliseconds since the epoch; null: never. */
  expires_at: number | null;
}

interface Joined {
  full_name: string;
  role: Role;
  channels: readonly number[];
  groups: readonly number[];
}
