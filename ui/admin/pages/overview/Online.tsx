import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { PersonRow } from "./Figure.tsx";

const COLLAPSED_COUNT = 6;
const PEOPLE = {
  display: "grid",
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 11rem), 1fr))",
  gap: "var(--hearth-row) var(--mantine-spacing-md)",
};

export function Online({ online }: { online: ServerState["online"] }) {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const { people, people_count, bots_count } = online;
  const shown = isExpanded ? people : people.slice(0, COLLAPSED_COUNT);
  const unnamed = people_count - people.length;
  const aside = [
    people_count > 0 && t("online.count", { count: people_count }),
    bots_count > 0 && t("online.bots", { count: bots_count }),
  ];
  return (
    <PageSection level={2} title={t("online.title")} aside={aside.filter(Boolean).join(" ")}>
      {people_count === 0 && <Hint mt="md">{t("online.empty")}</Hint>}
      <PlainList mt="md" style={PEOPLE}>
        {shown.map(({ user_id, full_name, avatar_url }) => (
          <PersonRow key={user_id} name={full_name} avatar={avatar_url} size={32} />
        ))}
      </PlainList>
      {isExpanded && unnamed > 0 && <Hint mt="md">{t("online.more", { count: unnamed })}</Hint>}
      {people.length > COLLAPSED_COUNT && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="sm"
          ms="-0.5rem"
          onClick={() => setExpanded(!isExpanded)}
          aria-expanded={isExpanded}
        >
          {isExpanded ? t("online.fewer") : t(unnamed > 0 ? "online.some" : "online.all", { count: people.length })}
        </Button>
      )}
    </PageSection>
  );
}
