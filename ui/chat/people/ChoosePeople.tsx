import { useCallback } from "react";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import { PeoplePicker, type PickerProps } from "../../parts/pickers.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useChat } from "../chat-context.ts";
import { presenceOf } from "../model/selectors.ts";
import { Presence } from "../parts/Presence.tsx";

/** Picks people and bots, with their presence. */
export function ChoosePeople(props: PickerProps) {
  const { chat } = useChat();
  const now = useNow();
  const markOf = useCallback(
    ({ user_id, is_bot }: WireUser) => (
      <Presence presence={is_bot ? "bot" : presenceOf(chat.state.value ?? {}, user_id, now)} />
    ),
    [chat, now],
  );
  return <PeoplePicker bots markOf={markOf} {...props} />;
}
