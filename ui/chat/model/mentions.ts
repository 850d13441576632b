import type { State } from "../../api/state-shape.ts";
import { mayMentionEverybody } from "./permissions.ts";
import { channelById, type Person, personById } from "./selectors.ts";

/** As completion writes them: `@**Ada**`, `@**Ada|3**`; what begins with `@_` tells nobody. */
const MENTION = /@\*\*([^*|\n]+)(?:\|(\d+))?\*\*/g;
/** Blocks and words of code, in which nobody is mentioned. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const EVERYBODY: readonly string[] = ["all", "everyone", "channel", "stream"];

const namesIn = (text: string) => [...text.replaceAll(CODE, "").matchAll(MENTION)];

/**
 * The people whom a text mentions though they cannot read the channel: of a private one those who are not in it, of a
 * public one guests who are not. `subscribers` are those who are in it.
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

/** Whether a text mentions anybody by name. */
export const mentionsPeople = (text: string): boolean => text.includes("@**") && namesIn(text).length > 0;

/** Whether the server refuses a text since it mentions everybody in a large channel. */
export const mentionsTooMany = (state: State, channelId: number, text: string): boolean =>
  text.includes("@**") &&
  namesIn(text).some(([, name = ""]) => EVERYBODY.includes(name)) &&
  !mayMentionEverybody(state, channelId);
