import type { State } from "../../api/state-shape.ts";
import { mayMentionEverybody } from "./permissions.ts";
import { channelById, type Person, personById } from "./selectors.ts";

/** `@**Ada**` or `@**Ada|3**`. A silent mention starts with `@_`. */
const MENTION = /@\*\*([^*\n]+?)(?:\|(\d+))?\*\*/g;
/** Code has no mentions. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const EVERYBODY: readonly string[] = ["all", "everyone", "channel", "stream"];

const namesIn = (text: string) => [...text.replaceAll(CODE, "").matchAll(MENTION)];

/**
 * Mentioned people who cannot read the channel: anyone but the `subscribers` of a private channel, guests of a public
 * one.
 */
export function unreachedBy(state: State, channelId: number, text: string, subscribers: readonly number[]): Person[] {
  const channel = channelById(state, channelId);
  if (!channel) return [];
  const inIt = new Set(subscribers);
  const people = namesIn(text).flatMap(([, name, id]) => {
    if (id !== undefined) return personById(state, Number(id)) ?? [];
    const called = (state.realm_users ?? []).filter(({ full_name }) => full_name === name);
    return called.length === 1 ? called : [];
  });
  return [...new Map(people.map((person) => [person.user_id, person])).values()].filter(
    ({ user_id, is_bot, is_guest }) =>
      user_id !== state.user_id && !is_bot && !inIt.has(user_id) && (channel.invite_only || is_guest),
  );
}

export const mentionsPeople = (text: string): boolean => text.includes("@**") && namesIn(text).length > 0;

/** Whether the server refuses a text because it mentions everyone in a large channel. */
export const mentionsTooMany = (state: State, channelId: number, text: string): boolean =>
  text.includes("@**") &&
  namesIn(text).some(([, name = "", id]) => id === undefined && EVERYBODY.includes(name)) &&
  !mayMentionEverybody(state, channelId);
