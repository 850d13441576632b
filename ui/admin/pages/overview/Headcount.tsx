import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import classes from "./Headcount.module.css";

export interface HeadcountProps {
  organization: ServerState["organization"];
  clockAhead: number;
}

/** How many newcomers are named. */
const SHOWN = 5;

/** How many belong to the organization, and who joined in the last week. */
export function Headcount({ organization, clockAhead }: HeadcountProps) {
  const { t } = useTranslation();
  const { people, guests, bots, joined_last_week, newcomers } = organization;
  const among = [
    guests > 0 && t("headcount.guests", { count: guests }),
    bots > 0 && t("headcount.bots", { count: bots }),
  ];
  const shown = newcomers.slice(0, SHOWN);
  const unnamed = joined_last_week - shown.length;
  return (
    <PageSection level={2} title={t("headcount.title")} aside={among.filter(Boolean).join(", ")}>
      <p className={classes.figure}>
        <span>
          <strong>{number(people)}</strong> {t("headcount.people", { count: people })}
        </span>
        {joined_last_week > 0 && (
          <span className={classes.joined}>{t("headcount.joined", { count: joined_last_week })}</span>
        )}
      </p>
      <ul className={classes.newcomers}>
        {shown.map(({ user_id, full_name, avatar_url, joined_at }) => (
          <li key={user_id}>
            <img src={avatar_url} alt="" width={24} height={24} loading="lazy" />
            <bdi className={classes.name} title={full_name}>
              {full_name}
            </bdi>
            <span className={classes.when}>
              <RelativeTime at={joined_at} clockAhead={clockAhead} />
            </span>
          </li>
        ))}
      </ul>
      {unnamed > 0 && <p className={classes.more}>{t("headcount.more", { count: unnamed })}</p>}
    </PageSection>
  );
}
