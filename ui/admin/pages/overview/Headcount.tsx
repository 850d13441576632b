import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { Figure, PersonRow } from "./Figure.tsx";

export interface HeadcountProps {
  organization: ServerState["organization"];
  clockAhead: number;
}

const SHOWN = 5;

/** The number of members, and who joined in the last week. */
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
      <Figure
        value={number(people)}
        label={t("headcount.people", { count: people })}
        aside={joined_last_week > 0 && t("headcount.joined", { count: joined_last_week })}
      />
      <PlainList gap="xs" mt="sm">
        {shown.map(({ user_id, full_name, avatar_url, joined_at }) => (
          <PersonRow key={user_id} name={full_name} avatar={avatar_url} size={24}>
            <Hint span size="xs">
              <RelativeTime at={joined_at} clockAhead={clockAhead} />
            </Hint>
          </PersonRow>
        ))}
      </PlainList>
      {unnamed > 0 && (
        <Hint size="xs" mt="xs">
          {t("headcount.more", { count: unnamed })}
        </Hint>
      )}
    </PageSection>
  );
}
