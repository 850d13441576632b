import { createElement, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AuditEntry, nameOf, sentenceOf } from "./audit-sentences.ts";

/** Stand for the values while the sentence is translated, so that no name is ever taken for markup. */
const MARKS = { actor: "\uE000", name: "\uE001", action: "\uE002" };

/** “Ann added Bob”, with who did it in bold. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { actor, action } = entry;
  const values: Record<string, ReactNode> = {
    [MARKS.actor]: (
      <strong>
        <bdi>{actor?.full_name ?? t("audit.somebody")}</bdi>
      </strong>
    ),
    [MARKS.name]: <bdi>{nameOf(entry)}</bdi>,
    [MARKS.action]: action,
  };
  const parts = t(sentenceOf(entry), MARKS).split(/([\uE000-\uE002])/);
  return createElement(Fragment, null, ...parts.map((part) => values[part] ?? part));
}
