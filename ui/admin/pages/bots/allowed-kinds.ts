import { isSelfIn } from "../../../api/settings-state.ts";
import type { State } from "../../../api/state-shape.ts";

/** By `bot_type` 1, 2 and 3 (docs/protocol.md#bots). */
export type BotKind = "generic" | "incoming" | "outgoing";
export const BOT_KINDS: readonly BotKind[] = ["generic", "incoming", "outgoing"];

/** The kinds of bots that the user can create: `can_create_bots_group`, `can_create_write_only_bots_group`. */
export function allowedKinds(state: State): readonly BotKind[] {
  const { realm_can_create_bots_group: all, realm_can_create_write_only_bots_group: incomingOnly } = state;
  if (state.is_guest) return [];
  if (all !== undefined && isSelfIn(state, all)) return BOT_KINDS;
  return incomingOnly !== undefined && isSelfIn(state, incomingOnly) ? ["incoming"] : [];
}
