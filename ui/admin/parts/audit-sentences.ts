import i18next from "i18next";
import type { AuditAction } from "../../../server/actions/audit-catalogue.ts";
import type { OperatorSettingName } from "../../../server/queries/operator-settings.ts";
import type { ServerState } from "../../api/server-state.ts";
import type { en } from "../../locales/en.ts";

export type AuditEntry = NonNullable<ServerState["host"]>["audit"][number];

type SentenceKey = `audit.${Exclude<keyof typeof en.audit, "hostSettings">}`;

/**
 * A sentence for every action of the server's catalogue. A key alone needs somebody who acted; a function reads the
 * entry and decides.
 */
const SENTENCES: Record<AuditAction, SentenceKey | ((entry: AuditEntry) => SentenceKey)> = {
  "create organization": ({ actor }) => (actor ? "audit.organizationCreated" : "audit.organizationCreatedBySystem"),
  "create user": ({ actor, after }) => {
    if (!actor) return "audit.userCreatedBySystem";
    return fieldOf(after, "is_bot") ? "audit.botCreated" : "audit.userCreated";
  },
  "create channel": ({ actor }) => (actor ? "audit.channelCreated" : "audit.other"),
  "change host setting": () => "audit.hostSetting",
  "doubt the clock": () => "audit.clockDoubted",
  "make backup": "audit.backupMade",
  "delete backup": "audit.backupDeleted",
  "set backup passphrase": "audit.backupPassphraseSet",
  "remove backup passphrase": "audit.backupPassphraseRemoved",
  "make export": "audit.exportMade",
  "delete export": "audit.exportDeleted",
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
  "create user group": "audit.userGroupCreated",
  "change user group": "audit.userGroupChanged",
  "change members of user group": "audit.userGroupMembersChanged",
  "deactivate user group": "audit.userGroupDeactivated",
  "reactivate user group": "audit.userGroupReactivated",
  "create invitation link": "audit.invitationLinkCreated",
  "invite by email": "audit.invitedByEmail",
  "revoke invitation": "audit.invitationRevoked",
  "join by invitation": "audit.joinedByInvitation",
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
};

const isCatalogued = (action: string): action is AuditAction => Object.hasOwn(SENTENCES, action);

/** The key of the sentence. An action that an earlier version recorded, or one by nobody, is shown by its name. */
export function sentenceKey(entry: AuditEntry): SentenceKey {
  const { action, actor, target_name } = entry;
  const sentence = isCatalogued(action) ? SENTENCES[action] : undefined;
  if (typeof sentence === "function") return sentence(entry);
  if (actor && sentence) return sentence;
  return target_name ? "audit.otherWithTarget" : "audit.other";
}

/** The target, in words. */
export function targetName({ target, target_name, before, after }: AuditEntry): string {
  if (target_name) return target_name;
  const stored =
    fieldOf(after, "full_name") ??
    fieldOf(after, "name") ??
    fieldOf(before, "name") ??
    patternOf(after) ??
    patternOf(before);
  if (typeof stored === "string") return stored;
  const [, kind, name] =
    /^(host setting|organization setting|organization picture|default setting|domain|backup|export) (.+)$/.exec(
      target,
    ) ?? [];
  if (!kind || !name) return target;
  if (kind === "domain" || kind === "backup" || kind === "export") return name;
  const words = name.replaceAll("_", " "); // `can_mention_many_users_group` is for programs
  if (kind === "host setting")
    return i18next.t(`audit.hostSettings.${name as OperatorSettingName}`, { defaultValue: words });
  return labelOf(kind, name) ?? words;
}

/** What the page of a setting calls it, once its texts are there: Overview begins without them. */
let labelOf: (kind: string, name: string) => string | undefined = () => undefined;
export const addSettingLabels = (labels: typeof labelOf): void => {
  labelOf = labels;
};

/** Whether the sentence says the label of a setting, which is among the texts of its page. */
export const isAboutSetting = ({ target }: AuditEntry): boolean =>
  /^(organization setting|organization picture|default setting) /.test(target);

const patternOf = (linkifier: unknown): unknown => fieldOf(linkifier, "pattern");

/** A field of `before` or `after`, whose shape depends on the action. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
