import { useMemo } from "react";
import type { Answer } from "../../../api/client.ts";
import type { State } from "../../../api/state-shape.ts";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import { type BotRow, useBots } from "../bots/bots.ts";

type Described = Answer<"GET /host/integrations">["integrations"][number];
type Listed = NonNullable<State["realm_incoming_webhook_bots"]>[number];

export interface Integration extends Described {
  /** Null if the service has no event types. */
  readonly events: readonly string[] | null;
  readonly options: Listed["url_options"];
  /** Its active bots. */
  readonly bots: readonly BotRow[];
}

/** All services in the server's order; undefined until the server responds. */
export function useIntegrations(): readonly Integration[] | undefined {
  const listed = useOrganization(({ realm_incoming_webhook_bots }) => realm_incoming_webhook_bots);
  const bots = useBots();
  const { data } = useAnswer("GET /host/integrations", {});
  return useMemo(() => {
    const byName = new Map(listed?.map((one) => [one.name, one]));
    return data?.integrations.map((one) => ({
      ...one,
      events: byName.get(one.name)?.all_event_types ?? null,
      options: byName.get(one.name)?.url_options ?? [],
      bots: bots.filter(({ bot, health }) => bot.is_active && health?.integration === one.name),
    }));
  }, [data, listed, bots]);
}
