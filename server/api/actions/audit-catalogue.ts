import type { ChannelChange } from "../access/channel-settings.ts";
import type { FieldSettings } from "../access/profile-fields.ts";
import type { MemberChange, UserGroupChange } from "../access/user-groups.ts";
import type { Channel } from "../queries/channels.ts";
import type { ExportType } from "../queries/exports.ts";
import type { Linkifier } from "../queries/linkifiers.ts";
import type { OperatorSettings } from "../queries/operator-settings.ts";
import type { OrganizationDomain, OrganizationPictureName, OrganizationSettings } from "../queries/organization.ts";
import type { Playground } from "../queries/playgrounds.ts";
import type { FieldType } from "../queries/profile-fields.ts";
import type { UserGroupSettings } from "../queries/user-groups.ts";
import type { UserSettings } from "../queries/user-settings.ts";
import type { StoredStatus } from "../queries/user-statuses.ts";
import type { Role, User } from "../queries/users.ts";

/**
 * Every administrative change that the audit records, once: its target, and the values before and after. Each has a
 * sentence in ui/locales/audit-words.ts.
 */
export interface AuditActions {
  "create organization": { target: "organization"; after: { name: string } };
  "change organization setting": Setting<"organization setting", OrganizationSettings>;
  "change host setting": Setting<"host setting", OperatorSettings>;
  "change default setting": Setting<"default setting", UserSettings>;
  "change organization picture": { target: `organization picture ${OrganizationPictureName}` } & Change<Picture>;
  "doubt the clock": { target: "clock"; before: number; after: number };
  "make backup": OfBackup;
  "delete backup": OfBackup;
  "set backup passphrase": { target: "organization" };
  "remove backup passphrase": { target: "organization" };
  "make export": OfExport & { after: { type: ExportType } };
  "delete export": OfExport;
  /** What was lost is null where today's data could not be read. */
  "restore backup": {
    target: "organization";
    after: { made_at: number; lost_messages: number | null; lost_people: number | null };
  };

  "create user": OfUser & { after: Pick<User, "email" | "full_name" | "role" | "is_bot"> };
  "rename user": OfUser & Change<{ full_name: string }>;
  "change avatar": OfUser & Change<Picture>;
  "change email": OfUser & Change<{ email: string }>;
  "change password": OfUser;
  "make sign-in link": OfUser;
  "regenerate API key": OfUser;
  "revoke API key": OfUser;
  "end session": OfUser;
  "change role": OfUser & Change<Role>;
  "deactivate user": OfUser & { before: Pick<User, "full_name" | "role">; after?: { comment: string } };
  "reactivate user": OfUser & { after: Pick<User, "full_name" | "role"> };
  "change bot owner": OfUser & { before: number | null; after: number };
  "change webhook address": OfUser & Change<{ base_url: string }>;
  "regenerate webhook credential": OfUser & { after: { credential: "token" | "signing_secret" } };
  "pause bot": OfUser;
  "resume bot": OfUser;
  /** Ids of deliveries. */
  "try webhook deliveries now": OfUser & { after: { deliveries: readonly number[] } };
  "give up webhook delivery": OfUser & { before: { delivery: number; message?: number } };
  "change user status": OfUser & Change<StoredStatus>;
  /** Values by the field's id. */
  "change profile": OfUser & Change<Record<string, string>>;

  "create invitation link": OfInvitation & { after: Invited };
  "invite by email": OfInvitation & { after: Invited };
  "revoke invitation": OfInvitation & { before: { role: Role; invited_by: number; email?: string } };
  "join by invitation": OfUser & { after: Joined & { invitation: number; invited_by: number } };
  "join without invitation": OfUser & { after: Joined };
  "add domain": OfDomain & { after: OrganizationDomain };
  "change domain": OfDomain & Change<OrganizationDomain>;
  "remove domain": OfDomain & { before: OrganizationDomain };

  "add linkifier": OfLinkifier & { after: LinkifierChange };
  "change linkifier": OfLinkifier & Change<LinkifierChange>;
  "remove linkifier": OfLinkifier & { before: LinkifierChange };
  "reorder linkifiers": { target: "organization" } & Change<readonly number[]>;

  "add playground": OfPlayground & { after: Omit<Playground, "id"> };
  "remove playground": OfPlayground & { before: Omit<Playground, "id"> };

  "create channel": OfChannel & {
    after: Pick<Channel, "name" | "invite_only" | "is_web_public" | "history_public_to_subscribers">;
  };
  "change channel": OfChannel & Change<ChannelChange>;
  "archive channel": OfChannel & { before: { name: string } };
  "unarchive channel": OfChannel & Change<ChannelChange>;
  /** Ids of users. */
  "subscribe users": OfChannel & { after: readonly number[] };
  "unsubscribe users": OfChannel & { before: readonly number[] };
  "delete topic": OfChannel & { before: { topic: string; messages: number } };

  "create channel folder": OfFolder & { after: { name: string; description: string } };
  "rename channel folder": OfFolder & Change<{ name: string }>;
  "describe channel folder": OfFolder & Change<{ description: string }>;
  "archive channel folder": OfFolder & Change<{ is_archived: boolean }>;
  "restore channel folder": OfFolder & Change<{ is_archived: boolean }>;
  "reorder channel folders": { target: "channel folders" } & Change<readonly number[]>;

  "create default channel group": OfChannelGroup & { after: Described & { streams: readonly number[] } };
  "change default channel group": OfChannelGroup & Change<Described>;
  "change channels of default channel group": OfChannelGroup & Change<readonly number[]>;
  "delete default channel group": OfChannelGroup & { before: Described & { streams: readonly number[] } };

  "create user group": OfUserGroup & {
    after: Described & UserGroupSettings & { members: readonly number[]; subgroups: readonly number[] };
  };
  "change user group": OfUserGroup & Change<UserGroupChange["data"]>;
  "change members of user group": OfUserGroup & { after: Partial<Omit<MemberChange, "group">> };
  "deactivate user group": OfUserGroup;
  "reactivate user group": OfUserGroup;

  "add custom emoji": OfEmoji & { after: { name: string } };
  "deactivate custom emoji": OfEmoji & { before: { name: string } };

  "create profile field": OfProfileField & { after: FieldSettings & { type: FieldType } };
  "change profile field": OfProfileField & Change<FieldSettings>;
  "delete profile field": OfProfileField & { before: FieldSettings & { type: FieldType } };
  "reorder profile fields": { target: "organization" } & Change<readonly number[]>;
}

export type AuditAction = keyof AuditActions;

/** What the page of the audit offers to choose from. */
export const AUDIT_KINDS = ["people", "groups", "invitations", "channels", "bots", "organization", "server"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

const KINDS: Record<AuditAction, AuditKind> = {
  "create organization": "organization",
  "change organization setting": "organization",
  "change host setting": "server",
  "change default setting": "organization",
  "change organization picture": "organization",
  "doubt the clock": "server",
  "make backup": "server",
  "delete backup": "server",
  "set backup passphrase": "server",
  "remove backup passphrase": "server",
  "restore backup": "server",
  "make export": "server",
  "delete export": "server",
  "create user": "people",
  "rename user": "people",
  "change avatar": "people",
  "change email": "people",
  "change password": "people",
  "make sign-in link": "people",
  "regenerate API key": "people",
  "revoke API key": "people",
  "end session": "people",
  "change role": "people",
  "deactivate user": "people",
  "reactivate user": "people",
  "change bot owner": "bots",
  "change webhook address": "bots",
  "regenerate webhook credential": "bots",
  "pause bot": "bots",
  "resume bot": "bots",
  "try webhook deliveries now": "bots",
  "give up webhook delivery": "bots",
  "change user status": "people",
  "change profile": "people",
  "create invitation link": "invitations",
  "invite by email": "invitations",
  "revoke invitation": "invitations",
  "join by invitation": "invitations",
  "join without invitation": "people",
  "add domain": "organization",
  "change domain": "organization",
  "remove domain": "organization",
  "add linkifier": "organization",
  "change linkifier": "organization",
  "remove linkifier": "organization",
  "reorder linkifiers": "organization",
  "add playground": "organization",
  "remove playground": "organization",
  "create channel": "channels",
  "change channel": "channels",
  "archive channel": "channels",
  "unarchive channel": "channels",
  "subscribe users": "channels",
  "unsubscribe users": "channels",
  "delete topic": "channels",
  "create channel folder": "channels",
  "rename channel folder": "channels",
  "describe channel folder": "channels",
  "archive channel folder": "channels",
  "restore channel folder": "channels",
  "reorder channel folders": "channels",
  "create default channel group": "channels",
  "change default channel group": "channels",
  "change channels of default channel group": "channels",
  "delete default channel group": "channels",
  "create user group": "groups",
  "change user group": "groups",
  "change members of user group": "groups",
  "deactivate user group": "groups",
  "reactivate user group": "groups",
  "add custom emoji": "organization",
  "deactivate custom emoji": "organization",
  "create profile field": "organization",
  "change profile field": "organization",
  "delete profile field": "organization",
  "reorder profile fields": "organization",
};

/** The actions of a kind. */
export const auditActionsOf = (kind: AuditKind): ReadonlySet<string> =>
  new Set(Object.entries(KINDS).flatMap(([action, its]) => (its === kind ? [action] : [])));

/** What `recordAudit` takes: an action of the catalogue with the fields that belong to it. */
export type AuditChange = { [Action in AuditAction]: { action: Action } & AuditActions[Action] }[AuditAction];

interface Change<T> {
  before: T;
  after: T;
}

type Setting<Kind extends string, Settings> = { target: `${Kind} ${keyof Settings & string}` } & Change<
  Settings[keyof Settings]
>;

interface OfUser {
  target: `user ${number}`;
}
interface OfInvitation {
  target: `invitation ${number}`;
}
interface OfDomain {
  target: `domain ${string}`;
}
interface OfLinkifier {
  target: `linkifier ${number}`;
}
type LinkifierChange = Omit<Linkifier, "id">;
interface OfPlayground {
  target: `playground ${number}`;
}
interface OfChannel {
  target: `channel ${number}`;
}
interface OfFolder {
  target: `channel folder ${number}`;
}
/** By the name of its file. */
interface OfBackup {
  target: `backup ${string}`;
}
/** By the name of its file. */
interface OfExport {
  target: `export ${string}`;
}
interface OfChannelGroup {
  target: `default channel group ${number}`;
}
interface OfUserGroup {
  target: `user group ${number}`;
}
interface OfEmoji {
  target: `custom emoji ${number}`;
}
interface OfProfileField {
  target: `profile field ${number}`;
}

interface Picture {
  is_uploaded: boolean;
}

interface Described {
  name: string;
  description: string;
}

/** What an invitation gives; the lists hold ids. */
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
