import { createElement, Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sentenceKey, targetName } from "../../../server/locales/audit-words.ts";
import { textAt } from "../../locales/i18n.ts";
import type { AuditEntry } from "./audit-entry.ts";
import { type Place, usePlace } from "./audit-places.ts";
import { PageLink } from "./PageLink.tsx";

/** Characters that stand for the values in the translated sentence, so that no name is taken for markup. */
const PLACEHOLDERS = { actor: "\uE000", name: "\uE001", action: "\uE002" };

/** “Ann added Bob”, with the actor in bold; both lead to their pages, where the list knows these. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { actor, action, target } = entry;
  const placeOfActor = usePlace(`user ${actor?.user_id}`);
  const placeOfTarget = usePlace(target);
  const values: Record<string, ReactNode> = {
    [PLACEHOLDERS.actor]: <strong>{linked(placeOfActor, <bdi>{actor?.full_name ?? t("audit.hearth")}</bdi>)}</strong>,
    [PLACEHOLDERS.name]: linked(placeOfTarget, <bdi>{targetName(entry, textAt)}</bdi>),
    [PLACEHOLDERS.action]: action,
  };
  const parts = t(sentenceKey(entry), PLACEHOLDERS).split(/([\uE000-\uE002])/);
  return createElement(Fragment, null, ...parts.map((part) => values[part] ?? part));
}

const linked = (place: Place | undefined, name: ReactNode) =>
  place ? (
    <PageLink to={place.to} {...(place.open && { search: { open: place.open } })}>
      {name}
    </PageLink>
  ) : (
    name
  );
