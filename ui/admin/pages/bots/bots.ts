import { useMemo } from "react";
import type { Answer } from "../../../api/client.ts";
import type { State } from "../../../api/state-shape.ts";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import type { BotKind } from "./allowed-kinds.ts";

export type WireBot = NonNullable<State["realm_bots"]>[number];
export type BotHealth = Answer<"GET /host/bots">["bots"][number];

/** By `bot_type` (docs/protocol.md#bots). Embedded bots do not exist. */
const KINDS = { 1: "generic", 2: "incoming", 3: "outgoing", 4: "generic" } as const;
const TYPES = { generic: 1, incoming: 2, outgoing: 3 } as const;
export const botType = (kind: BotKind): (typeof TYPES)[BotKind] => TYPES[kind];

/** By `interface_type` and `service_interface`. */
export const INTERFACES = [
  [1, "json"],
  [2, "slack"],
] as const;

export const CONDITIONS = ["failing", "undelivered", "paused", "works", "unused", "unknown"] as const;
/** A bot's health; unknown for generic bots, which send requests whenever they like. */
export type Condition = (typeof CONDITIONS)[number];

/** The webhook settings of a bot, for the people who manage it. */
export type WebhookSettings = Answer<"GET /host/bots/{bot_id}">;

export const useWebhookSettings = (bot_id: number, isEnabled = true): WebhookSettings | undefined =>
  useAnswer("GET /host/bots/{bot_id}", { bot_id }, { changedBy: ["webhook_settings", "webhook_delivery"], isEnabled })
    .data;

export interface BotRow {
  readonly bot: WireBot;
  readonly kind: BotKind;
  /** Undefined if the bot has no owner. */
  readonly ownerName: string | undefined;
  readonly role: number;
  /** Undefined until the server responds. */
  readonly health: BotHealth | undefined;
  readonly condition: Condition;
}

export function conditionOf(kind: BotKind, health: BotHealth | undefined): Condition {
  if (kind === "generic" || !health) return "unknown";
  if (health.is_paused) return "paused";
  if (health.is_failing || health.last?.state === "refused") return "failing";
  if (kind === "outgoing" && health.failed > 0) return "undelivered";
  return health.last ? "works" : "unused";
}

/** The bots that the user manages, including deactivated ones. */
export function useBots(): BotRow[] {
  const bots = useOrganization(({ realm_bots }) => realm_bots);
  const active = useOrganization(({ realm_users }) => realm_users);
  const others = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const { data } = useAnswer(
    "GET /host/bots",
    {},
    { changedBy: ["realm_bot", "webhook_delivery", "webhook_receipt", "webhook_settings"] },
  );
  return useMemo(() => {
    const users = new Map([...(active ?? []), ...(others ?? [])].map((user) => [user.user_id, user]));
    const healths = new Map(data?.bots.map((health) => [health.bot_id, health]));
    return (bots ?? []).map((bot): BotRow => {
      const kind = KINDS[bot.bot_type];
      const health = healths.get(bot.user_id);
      return {
        bot,
        kind,
        ownerName: users.get(bot.owner_id ?? 0)?.full_name,
        role: users.get(bot.user_id)?.role ?? 400,
        health,
        condition: conditionOf(kind, health),
      };
    });
  }, [bots, active, others, data]);
}
