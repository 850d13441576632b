import { useTranslation } from "react-i18next";
import { useDerived } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { type Closed, whoPosts } from "../model/permissions.ts";
import classes from "./Composer.module.css";

const MAX_NAMES = 3;

const ROLE_TEXTS = new Map<
  string,
  "onlyOwners" | "onlyAdministrators" | "onlyModerators" | "notNew" | "notGuests" | "nobody"
>([
  ["role:owners", "onlyOwners"],
  ["role:administrators", "onlyAdministrators"],
  ["role:moderators", "onlyModerators"],
  ["role:fullmembers", "notNew"],
  ["role:members", "notGuests"],
  ["role:nobody", "nobody"],
]);

interface ClosedComposerProps {
  narrow: DraftNarrow;
  reason: Closed | undefined;
  text: string;
}

/** Replaces the composer if the user cannot send messages here. Shows the reason and the unsent text. */
export function ClosedComposer({ narrow, reason, text }: ClosedComposerProps) {
  const { t } = useTranslation();
  if (reason === undefined && text.trim() === "") return null;
  return (
    <div className={classes.closed}>
      {reason && (
        <p role="status">{reason === "readOnly" ? <WhoPosts narrow={narrow} /> : t(`writing.closed.${reason}`)}</p>
      )}
      {text.trim() !== "" && (
        <>
          <p>{t("writing.closed.written")}</p>
          <p className={classes.written} dir="auto">
            {text}
          </p>
        </>
      )}
    </div>
  );
}

function WhoPosts({ narrow }: { narrow: DraftNarrow }): string {
  const { t, i18n } = useTranslation();
  const posters = useDerived((state) => whoPosts(state, narrow));
  if (!posters) return t("writing.closed.readOnly");
  if ("role" in posters) return t(`writing.closed.${ROLE_TEXTS.get(posters.role) ?? "readOnly"}`);
  const { names } = posters;
  const named = names.slice(0, names.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
  const others = names.length - named.length;
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format([
    ...named,
    ...(others > 0 ? [t("writing.mentions.others", { count: others })] : []),
  ]);
  return t("writing.closed.only", { names: list, count: names.length });
}
