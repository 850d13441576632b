import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { useAdmin } from "../../admin-context.ts";
import { AuditSentence } from "../../parts/AuditSentence.tsx";
import classes from "../../parts/details.module.css";
import { useAnswer } from "../../use-answer.ts";
import ownClasses from "./PersonDrawer.module.css";
import type { Person } from "./use-people.ts";

const STEP = 50;
/** What one call of the audit gives. */
const MAX = 200;

/** What was changed about a person, and what they changed. */
export function PersonHistory({ person: { id } }: { person: Person }) {
  const { t } = useTranslation();
  const { server } = useAdmin();
  const clockAhead = useStore(server.followed, (followed) => followed.clockAhead);
  const [side, setSide] = useState<"target" | "actor">("target");
  const [limit, setLimit] = useState(STEP);
  const filter = side === "target" ? { target: `user ${id}` } : { actor_id: id };
  const changedBy = ["realm_user", "user_group", "subscription", "stream", "realm"] as const;
  const audit = useAnswer("GET /host/audit", { ...filter, limit }, { changedBy });
  return (
    <>
      <SegmentedControl
        fullWidth
        value={side}
        onChange={(next) => {
          setSide(next as typeof side);
          setLimit(STEP);
        }}
        data={[
          { value: "target", label: t("people.changedAboutThem") },
          { value: "actor", label: t("people.changedByThem") },
        ]}
        aria-label={t("people.tabs.history")}
      />
      {audit.error && <Callout tone="error">{errorMessage(audit.error)}</Callout>}
      {audit.isPending && <Skeleton height="12rem" mt="md" />}
      {audit.data?.entries.length === 0 && <p className={classes.empty}>{t("people.noHistory")}</p>}
      <ol className={classes.list}>
        {audit.data?.entries.map((entry) => (
          <li key={entry.id} className={ownClasses.entry}>
            <span className={classes.itemName}>
              <AuditSentence entry={entry} />
            </span>
            <RelativeTime at={entry.at} clockAhead={clockAhead} />
          </li>
        ))}
      </ol>
      {audit.data?.has_more && limit < MAX && (
        <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + STEP)}>
          {t("people.moreHistory")}
        </Button>
      )}
    </>
  );
}
