import { useTranslation } from "react-i18next";
import { useChatState } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { type Closed, whoPosts } from "../model/permissions.ts";
import classes from "./Composer.module.css";

const POSTERS = {
  "": "readOnly",
  "role:owners": "onlyOwners",
  "role:administrators": "onlyAdministrators",
  "role:moderators": "onlyModerators",
  "role:fullmembers": "onlyFullMembers",
  "role:members": "onlyMembers",
  "role:nobody": "onlyNobody",
} as const;

interface ClosedComposerProps {
  narrow: DraftNarrow;
  reason: Closed | undefined;
  text: string;
}

/** Replaces the composer if the user cannot send messages here. Shows the reason and the unsent text. */
export function ClosedComposer({ narrow, reason, text }: ClosedComposerProps) {
  const { t } = useTranslation();
  const names = useChatState((state) => (reason === "readOnly" ? whoPosts(state, narrow) : ""));
  const closedText = () => {
    if (reason !== "readOnly") return t(`writing.closed.${reason as Exclude<Closed, "readOnly">}`);
    return names in POSTERS
      ? t(`writing.closed.${POSTERS[names as keyof typeof POSTERS]}`)
      : t("writing.closed.only", { names });
  };
  if (reason === undefined && text.trim() === "") return null;
  return (
    <div className={classes.closed}>
      {reason && <p role="status">{closedText()}</p>}
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
