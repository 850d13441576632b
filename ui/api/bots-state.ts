import type { WireBot } from "../../server/api/presenters/bots.ts";
import type { Of, State } from "./state-shape.ts";

/** As delivered: the server adds keys and tokens at delivery. */
type BotEvent = Of<"realm_bot"> | { op: "add"; bot: WireBot };

/** Bots stay in the order of their ids. */
export function botsChanged(state: State, event: BotEvent): State {
  const bots = state.realm_bots;
  if (!bots) return state;
  const others = bots.filter(({ user_id }) => user_id !== event.bot.user_id);
  if (event.op === "delete") return { ...state, realm_bots: others };
  if (event.op === "update")
    return {
      ...state,
      realm_bots: bots.map((bot) => (bot.user_id === event.bot.user_id ? ({ ...bot, ...event.bot } as WireBot) : bot)),
    };
  const added = event.bot as WireBot;
  return { ...state, realm_bots: [...others, added].sort((a, b) => a.user_id - b.user_id) };
}
