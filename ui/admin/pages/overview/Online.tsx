import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { Empty } from "./Empty.tsx";
import classes from "./Online.module.css";

/** How many people the collapsed list shows. */
const COLLAPSED_COUNT = 6;

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
      {people_count === 0 && <Empty>{t("online.empty")}</Empty>}
      <ul className={classes.people}>
        {shown.map(({ user_id, full_name, avatar_url }) => (
          <li key={user_id} className={classes.person}>
            <img src={avatar_url} alt="" width={32} height={32} loading="lazy" />
            <bdi className={classes.name} title={full_name}>
              {full_name}
            </bdi>
          </li>
        ))}
      </ul>
      {isExpanded && unnamed > 0 && <Empty>{t("online.more", { count: unnamed })}</Empty>}
      {people.length > COLLAPSED_COUNT && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.more}
          onClick={() => setExpanded(!isExpanded)}
          aria-expanded={isExpanded}
        >
          {isExpanded ? t("online.fewer") : t(unnamed > 0 ? "online.some" : "online.all", { count: people.length })}
        </Button>
      )}
    </PageSection>
  );
}
