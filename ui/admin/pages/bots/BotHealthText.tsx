import { useTranslation } from "react-i18next";
import { StatusText, type StatusTone } from "../../parts/StatusText.tsx";
import type { BotRow, Condition } from "./bots.ts";

const TONES: Record<Condition, StatusTone> = {
  failing: "bad",
  undelivered: "warning",
  paused: "warning",
  works: "good",
  unused: "quiet",
  unknown: "quiet",
};

/** A bot's health, with the number of failed and pending deliveries. */
export function BotHealthText({ row: { kind, health, condition } }: { row: BotRow }) {
  const { t } = useTranslation();
  const { failed = 0, waiting = 0 } = health ?? {};
  const details = [
    ...(failed > 0 && condition !== "works"
      ? [t(kind === "incoming" ? "bots.healthDetail.refused" : "bots.healthDetail.failing", { count: failed })]
      : []),
    ...(waiting > 0 ? [t("bots.healthDetail.waiting", { count: waiting })] : []),
  ];
  return <StatusText tone={TONES[condition]}>{[t(`bots.health.${condition}`), ...details].join(" · ")}</StatusText>;
}
