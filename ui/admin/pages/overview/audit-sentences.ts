import i18next from "i18next";
import type { OperatorSettingName } from "../../../../server/queries/operator-settings.ts";
import type { ServerState } from "../../../api/server-state.ts";

export type AuditEntry = ServerState["audit"][number];

/** Actions whose sentence names an actor and a target. */
const SENTENCES = {
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
  "change email": "audit.emailChanged",
  "change password": "audit.passwordChanged",
  "make sign-in link": "audit.signInLinkCreated",
  "regenerate API key": "audit.keyRegenerated",
  "revoke API key": "audit.keyRevoked",
  "deactivate user": "audit.userDeactivated",
  "reactivate user": "audit.userReactivated",
  "change bot owner": "audit.botOwnerChanged",
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
  "create profile field": "audit.profileFieldCreated",
  "change profile field": "audit.profileFieldChanged",
  "delete profile field": "audit.profileFieldDeleted",
  "reorder profile fields": "audit.profileFieldsReordered",
  "change organization setting": "audit.organizationSetting",
  "change default setting": "audit.defaultSetting",
} as const;

/** The sentence's key in the locale. An action without a sentence is shown by its name in the log. */
export function sentenceKey({ action, actor, after, target_name }: AuditEntry) {
  switch (action) {
    case "create organization":
      return actor ? "audit.organizationCreated" : "audit.organizationCreatedBySystem";
    case "create user":
      if (!actor) return "audit.userCreatedBySystem";
      return fieldOf(after, "is_bot") ? "audit.botCreated" : "audit.userCreated";
    case "create channel":
      return actor ? "audit.channelCreated" : "audit.other";
    case "change host setting":
      return "audit.hostSetting";
    case "doubt the clock":
      return "audit.clockDoubted";
    default:
      if (actor && action in SENTENCES) return SENTENCES[action as keyof typeof SENTENCES];
      return target_name ? "audit.otherWithTarget" : "audit.other";
  }
}

/** The name of what the action changed. */
export function targetName({ target, target_name, before, after }: AuditEntry): string {
  if (target_name) return target_name;
  const fromValues = fieldOf(after, "full_name") ?? fieldOf(after, "name") ?? fieldOf(before, "name");
  if (typeof fromValues === "string") return fromValues;
  const [, kind, name] = /^(host setting|organization setting|default setting|domain) (.+)$/.exec(target) ?? [];
  if (!kind || !name) return target;
  if (kind === "domain") return name;
  const readable = name.replaceAll("_", " "); // `can_mention_many_users_group` is no name for people
  return kind === "host setting"
    ? i18next.t(`audit.hostSettings.${name as OperatorSettingName}`, { defaultValue: readable })
    : readable;
}

/** The shape of an audit value depends on its action. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
