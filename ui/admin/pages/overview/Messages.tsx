import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { number } from "../../../parts/format.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { Figure } from "./Figure.tsx";
import { MinuteChart } from "./MinuteChart.tsx";

export interface MessagesProps {
  messages: ServerState["messages"];
  /** Since the organization was created, without system messages. */
  total: number;
  clockAhead: number;
}

export function Messages({ messages, total, clockAhead }: MessagesProps) {
  const { t } = useTranslation();
  const { last_hour, per_minute, notices_last_hour, minute } = messages;
  return (
    <PageSection level={2} title={t("messages.title")} aside={total > 0 && t("messages.total", { count: total })}>
      <Figure
        value={number(last_hour)}
        label={t("messages.inTheLastHour")}
        aside={notices_last_hour > 0 && t("messages.notices", { count: notices_last_hour })}
      />
      <MinuteChart perMinute={per_minute} {...{ minute, clockAhead }} />
    </PageSection>
  );
}
