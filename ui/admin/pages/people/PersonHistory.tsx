import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { ActList, ActRow } from "../../parts/ActRow.tsx";
import { beginningWith, mainFirst } from "../../parts/audit-changes.ts";
import { useAnswer } from "../../use-answer.ts";
import type { Person } from "./use-people.ts";

const PAGE = 50;
/** The server's limit for one response. */
const MAX = 200;

/** Audit log entries about a person, or by them. */
export function PersonHistory({ person: { id } }: { person: Person }) {
  const { t } = useTranslation();
  const [side, setSide] = useState<"target" | "actor">("target");
  const [limit, setLimit] = useState(PAGE);
  const filter = side === "target" ? { user_id: id } : { actor_id: id };
  const changedBy = ["realm_user", "user_group", "subscription", "stream", "realm"] as const;
  const audit = useAnswer("GET /host/audit/acts", { ...filter, limit }, { changedBy });
  return (
    <>
      <SegmentedControl
        fullWidth
        value={side}
        onChange={(next) => {
          setSide(next as typeof side);
          setLimit(PAGE);
        }}
        data={[
          { value: "target", label: t("people.changedAboutThem") },
          { value: "actor", label: t("people.changedByThem") },
        ]}
        aria-label={t("people.tabs.history")}
      />
      {audit.error && <Callout tone="error">{errorMessage(audit.error)}</Callout>}
      {audit.isPending && <Skeleton height="12rem" mt="md" />}
      {audit.data?.acts.length === 0 && <Hint mt="md">{t("people.noHistory")}</Hint>}
      {audit.data && (
        <ActList aria-label={t("people.tabs.history")} besides={`user ${id}`}>
          {audit.data.acts.map((act) => (
            <ActRow
              key={act.id}
              act={side === "target" ? beginningWith(id, act) : mainFirst(act)}
              names={audit.data.names}
            />
          ))}
        </ActList>
      )}
      {audit.data?.has_more && limit < MAX && (
        <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + PAGE)}>
          {t("people.moreHistory")}
        </Button>
      )}
    </>
  );
}
