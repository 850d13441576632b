import { AtSign, Bell, BellOff, MessageCircle, Search, Settings, Smile } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { type Narrow, placeAt } from "../model/narrow.ts";
import { isMuted, mentionOf } from "../model/people.ts";
import type { Person } from "../model/selectors.ts";
import { addressOfSettings } from "../settings/sections.ts";
import { type Action, type ActionContext, setPage } from "./action.ts";

export interface PersonThing {
  readonly person: Person;
  /** The open narrow; undefined while a list is open. */
  readonly here: Narrow | undefined;
}

const isSelf = (state: State, { person }: PersonThing): boolean => person.user_id === state.user_id;
const isOther = (state: State, thing: PersonThing): boolean => !isSelf(state, thing);

const messagesBy = ({ person }: PersonThing) => placeAt(`#narrow/sender/${person.user_id}`);

const openDirect = ({ go }: ActionContext, { person }: PersonThing) =>
  go({ page: "messages", narrow: { kind: "direct", userIds: [person.user_id] } });

export const PERSON_ACTIONS: readonly Action<PersonThing>[] = [
  {
    id: "messagePerson",
    label: (t) => t("chatPeople.message"),
    icon: MessageCircle,
    shownIn: ["card"],
    isAvailable: isOther,
    run: openDirect,
  },
  {
    id: "writeNotes",
    label: (t) => t("chat.notesToSelf"),
    icon: MessageCircle,
    shownIn: ["card"],
    isAvailable: isSelf,
    run: openDirect,
  },
  {
    id: "setStatus",
    label: (t) => t("chatPeople.status.set"),
    icon: Smile,
    shownIn: ["card"],
    isAvailable: isSelf,
    run: ({ openCard }) => openCard({ kind: "status" }),
  },
  {
    id: "editProfile",
    label: (t) => t("chatPeople.editProfile"),
    icon: Settings,
    shownIn: ["card"],
    isAvailable: isSelf,
    run: () => window.location.assign(addressOfSettings("profile")),
  },
  {
    id: "mentionPerson",
    label: (t) => t("chatPeople.mention"),
    icon: AtSign,
    shownIn: ["card"],
    isAvailable: (state, thing) =>
      isOther(state, thing) && ["topic", "channel", "direct"].includes(thing.here?.kind ?? ""),
    run: (context, { person }) => setPage(context, { insertion: mentionOf(context.chat.state.value ?? {}, person) }),
  },
  {
    id: "showMessagesBy",
    label: (t) => t("chatPeople.messages"),
    icon: Search,
    shownIn: ["card"],
    isAvailable: isOther,
    run: ({ go }, thing) => go(messagesBy(thing)),
  },
  {
    id: "mutePerson",
    label: (t) => t("chatPeople.mute"),
    icon: BellOff,
    shownIn: ["card"],
    on: { label: (t) => t("chatPeople.unmute"), icon: Bell },
    isOn: (state, { person }) => isMuted(state, person.user_id),
    isAvailable: isOther,
    run: ({ chat }, { person }) =>
      chat.client.call(
        isMuted(chat.state.value ?? {}, person.user_id)
          ? "DELETE /users/me/muted_users/{muted_user_id}"
          : "POST /users/me/muted_users/{muted_user_id}",
        { muted_user_id: person.user_id },
      ),
  },
];
