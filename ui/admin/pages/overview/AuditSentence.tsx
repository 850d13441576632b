import { createElement, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HostState } from "../../../api/host-feed.ts";

export type AuditEntry = HostState["audit"][number];

/** Actions that are told with who did it and to what. */
const DONE = {
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
  "make sign-in link": "audit.signInLinkMade",
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
  "create invitation link": "audit.invitationLinkMade",
  "invite by email": "audit.invitedByEmail",
  "revoke invitation": "audit.invitationRevoked",
  "join by invitation": "audit.joinedByInvitation",
  "join without invitation": "audit.joinedFreely",
} as const;

/** The key of the sentence; actions that have none yet are told in the words of the log. */
function sentenceOf({ action, actor, after, target_name }: AuditEntry) {
  switch (action) {
    case "create organization":
      return actor ? "audit.organizationMade" : "audit.organizationMadeByItself";
    case "create user":
      if (!actor) return "audit.userCreatedByItself";
      return fieldOf(after, "is_bot") ? "audit.botCreated" : "audit.userCreated";
    case "create channel":
      return actor ? "audit.channelCreated" : "audit.other";
    case "change host setting":
      return "audit.hostSetting";
    case "change organization setting":
      return actor ? "audit.organizationSetting" : "audit.other";
    case "doubt the clock":
      return "audit.clockDoubted";
    default:
      if (actor && action in DONE) return DONE[action as keyof typeof DONE];
      return target_name ? "audit.otherWithTarget" : "audit.other";
  }
}

/** What was written down has the shape that its action gave it. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Stand for the values while the sentence is translated, so that no name is ever taken for markup. */
const MARKS = { actor: "\uE000", name: "\uE001", action: "\uE002" };

/** “Ann added Bob”, with who did it in bold. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { actor, action, target, target_name, before, after } = entry;
  const given = fieldOf(after, "full_name") ?? fieldOf(after, "name") ?? fieldOf(before, "name");
  const name =
    target_name ?? (typeof given === "string" ? given : target.replace(/^(?:host|organization|default) setting /, ""));
  const values: Record<string, ReactNode> = {
    [MARKS.actor]: (
      <strong>
        <bdi>{actor?.full_name ?? t("audit.somebody")}</bdi>
      </strong>
    ),
    [MARKS.name]: <bdi>{name}</bdi>,
    [MARKS.action]: action,
  };
  const parts = t(sentenceOf(entry), MARKS).split(/([\uE000-\uE002])/);
  return createElement(Fragment, null, ...parts.map((part) => values[part] ?? part));
}
