import { createElement, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HostState } from "../../../api/host-feed.ts";

export type AuditEntry = HostState["audit"][number];

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
    default:
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
  const { actor, action, target, target_name, after } = entry;
  const given = fieldOf(after, "full_name") ?? fieldOf(after, "name");
  const name = target_name ?? (typeof given === "string" ? given : target.replace(/^host setting /, ""));
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
