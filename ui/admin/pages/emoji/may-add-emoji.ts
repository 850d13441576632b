import { isSelfIn } from "../../../api/settings-state.ts";
import type { State } from "../../../api/state-shape.ts";

/** Whether the user may add emoji to the organization. */
export const mayAddEmoji = (state: State): boolean =>
  state.is_guest !== true &&
  state.realm_can_add_custom_emoji_group !== undefined &&
  isSelfIn(state, state.realm_can_add_custom_emoji_group);
