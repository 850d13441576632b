import type { overviewTexts } from "./en/overview.ts";
import { filled } from "./filled.ts";

/* Texts for the changes in the audit, for its page and for the server's search and CSV table. */

/** The fields of an audit entry that determine its texts. */
interface Change {
  readonly actor: { readonly full_name: string } | null;
  readonly action: string;
  readonly target: string;
  readonly target_name: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The text of a key in the reader's language; undefined if it does not exist or is not loaded yet. */
export type TextAt = (key: string) => string | undefined;

type SentenceKey = `audit.${keyof typeof overviewTexts.audit}`;
type Sentence = SentenceKey | ((change: Change) => SentenceKey);

/**
 * A sentence for each action of the server's catalogue. A plain key requires an actor; a function chooses the key for
 * the change.
 */
export const AUDIT_SENTENCES = {
  "create organization": ({ actor }: Change) =>
    actor ? "audit.organizationCreated" : "audit.organizationCreatedBySystem",
  "create user": ({ actor, after }: Change) => {
    if (!actor) return "audit.userCreatedBySystem";
    return fieldOf(after, "is_bot") ? "audit.botCreated" : "audit.userCreated";
  },
  "create channel": ({ actor }: Change) => (actor ? "audit.channelCreated" : "audit.other"),
  "change host setting": () => "audit.hostSetting",
  "doubt the clock": () => "audit.clockDoubted",
  "make backup": "audit.backupMade",
  "delete backup": "audit.backupDeleted",
  "set backup passphrase": "audit.backupPassphraseSet",
  "remove backup passphrase": "audit.backupPassphraseRemoved",
  "make export": "audit.exportMade",
  "delete export": "audit.exportDeleted",
  "start import": ({ actor }: Change) => (actor ? "audit.importStarted" : "audit.other"),
  "finish import": ({ actor }: Change) => (actor ? "audit.importFinished" : "audit.other"),
  "remove import": ({ actor }: Change) => (actor ? "audit.importRemoved" : "audit.other"),
  "restore backup": () => "audit.backupRestored",
  "change channel": "audit.channelChanged",
  "archive channel": "audit.channelArchived",
  "unarchive channel": "audit.channelUnarchived",
  "delete topic": "audit.topicDeleted",
  "create channel folder": "audit.folderCreated",
  "rename channel folder": "audit.folderRenamed",
  "describe channel folder": "audit.folderDescribed",
  "archive channel folder": "audit.folderArchived",
  "restore channel folder": "audit.folderRestored",
  "reorder channel folders": "audit.foldersReordered",
  "create default channel group": "audit.channelGroupCreated",
  "change default channel group": "audit.channelGroupChanged",
  "change channels of default channel group": "audit.channelsOfGroupChanged",
  "delete default channel group": "audit.channelGroupDeleted",
  "change role": "audit.roleChanged",
  "rename user": "audit.userRenamed",
  "change avatar": "audit.avatarChanged",
  "change email": "audit.emailChanged",
  "change password": "audit.passwordChanged",
  "make sign-in link": "audit.signInLinkCreated",
  "regenerate API key": "audit.keyRegenerated",
  "revoke API key": "audit.keyRevoked",
  "end session": "audit.sessionEnded",
  "deactivate user": "audit.userDeactivated",
  "reactivate user": "audit.userReactivated",
  "change bot owner": "audit.botOwnerChanged",
  "change webhook address": "audit.webhookAddressChanged",
  "regenerate webhook credential": "audit.webhookCredentialRegenerated",
  "pause bot": "audit.botPaused",
  "resume bot": "audit.botResumed",
  "try webhook deliveries now": "audit.deliveriesTried",
  "give up webhook delivery": "audit.deliveryGivenUp",
  "create user group": "audit.userGroupCreated",
  "change user group": "audit.userGroupChanged",
  "change members of user group": "audit.userGroupMembersChanged",
  "deactivate user group": "audit.userGroupDeactivated",
  "reactivate user group": "audit.userGroupReactivated",
  "create invitation link": "audit.invitationLinkCreated",
  "invite by email": "audit.invitedByEmail",
  "invite imported person": "audit.importedPersonInvited",
  "revoke invitation": "audit.invitationRevoked",
  "join by invitation": "audit.joinedByInvitation",
  "merge imported account": "audit.importedAccountMerged",
  "claim imported account": "audit.importedAccountClaimed",
  "join without invitation": "audit.joinedWithoutInvitation",
  "subscribe users": "audit.channelJoined",
  "unsubscribe users": "audit.channelLeft",
  "change user status": "audit.statusChanged",
  "change profile": "audit.profileChanged",
  "add domain": "audit.domainAdded",
  "change domain": "audit.domainChanged",
  "remove domain": "audit.domainRemoved",
  "add linkifier": "audit.linkifierAdded",
  "change linkifier": "audit.linkifierChanged",
  "remove linkifier": "audit.linkifierRemoved",
  "reorder linkifiers": "audit.linkifiersReordered",
  "add playground": "audit.playgroundAdded",
  "remove playground": "audit.playgroundRemoved",
  "add custom emoji": "audit.emojiAdded",
  "deactivate custom emoji": "audit.emojiDeactivated",
  "create profile field": "audit.profileFieldCreated",
  "change profile field": "audit.profileFieldChanged",
  "delete profile field": "audit.profileFieldDeleted",
  "reorder profile fields": "audit.profileFieldsReordered",
  "change organization setting": "audit.organizationSetting",
  "change organization picture": "audit.organizationPicture",
  "change default setting": "audit.defaultSetting",
} as const satisfies Record<string, Sentence>;

const isCatalogued = (action: string): action is keyof typeof AUDIT_SENTENCES => Object.hasOwn(AUDIT_SENTENCES, action);

/** The key of the sentence. Shows the name of the action if it comes from an earlier version, or has no actor. */
export function sentenceKey(change: Change): SentenceKey {
  const { action, actor, target_name } = change;
  const sentence: Sentence | undefined = isCatalogued(action) ? AUDIT_SENTENCES[action] : undefined;
  if (typeof sentence === "function") return sentence(change);
  if (actor && sentence) return sentence;
  return target_name ? "audit.otherWithTarget" : "audit.other";
}

export function targetName({ target, target_name, before, after }: Change, textAt: TextAt): string {
  if (target_name) return target_name;
  const stored =
    fieldOf(after, "full_name") ??
    fieldOf(after, "name") ??
    fieldOf(before, "name") ??
    fieldOf(after, "pattern") ??
    fieldOf(before, "pattern");
  if (typeof stored === "string") return stored;
  const [, kind, name] = /^(.+ setting|organization picture|domain|backup|export) (.+)$/.exec(target) ?? [];
  if (!kind || !name) return target;
  if (kind === "domain" || kind === "backup" || kind === "export") return name;
  return settingLabel(kind, name, textAt) ?? spaced(name);
}

/** The label of a setting on its page; `kind` as in targets. Undefined for a setting without a control. */
export const settingLabel = (kind: string, name: string, textAt: TextAt): string | undefined =>
  firstText(settingKeys(kind, name), textAt);

function settingKeys(kind: string, name: string): string[] {
  if (kind === "host setting") return [`operatorSettings.${name}.audit`];
  if (kind === "default setting") return [`userSettings.${name}.label`];
  if (kind === "organization picture") return [`organization.pictures.${name === "night_logo" ? "nightLogo" : name}`];
  return [`organization.${name}.label`, `organizationPermissions.who.${name}.label`];
}

/** The label of a changed field. A field that only an earlier version recorded has its own name as label. */
export const fieldName = (field: string, textAt: TextAt): string =>
  firstText([`auditPage.fields.${field}`, `channels.permissions.${field}.label`, `groups.${field}`], textAt) ??
  spaced(field);

export function sentenceInLine(change: Change, textAt: TextAt): string {
  return filled(textAt(sentenceKey(change)) ?? "", {
    actor: change.actor?.full_name ?? textAt("audit.hearth"),
    name: targetName(change, textAt),
    action: change.action,
  });
}

/** Used for names such as `can_mention_many_users_group`. */
const spaced = (name: string): string => name.replaceAll("_", " ");

function firstText(keys: readonly string[], textAt: TextAt): string | undefined {
  for (const key of keys) {
    const text = textAt(key);
    if (text !== undefined) return text;
  }
  return undefined;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field of `before` or `after`, whose shape depends on the action. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
