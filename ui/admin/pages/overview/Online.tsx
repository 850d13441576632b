import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import classes from "./Online.module.css";
import { Empty, Section } from "./Section.tsx";

const SHOWN = 6;

export function Online({ online }: { online: ServerState["online"] }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const { people, people_count, bots_count } = online;
  const shown = isWhole ? people : people.slice(0, SHOWN);
  const unnamed = people_count - people.length;
  const aside = [
    people_count > 0 && t("online.count", { count: people_count }),
    bots_count > 0 && t("online.bots", { count: bots_count }),
  ];
  return (
    <Section title={t("online.title")} aside={aside.filter(Boolean).join(" ")}>
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
      {isWhole && unnamed > 0 && <Empty>{t("online.more", { count: unnamed })}</Empty>}
      {people.length > SHOWN && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.more}
          onClick={() => setWhole(!isWhole)}
          aria-expanded={isWhole}
        >
          {isWhole ? t("online.fewer") : t(unnamed > 0 ? "online.some" : "online.all", { count: people.length })}
        </Button>
      )}
    </Section>
  );
}
