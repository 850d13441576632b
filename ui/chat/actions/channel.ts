import {
  Bell,
  BellOff,
  CheckCheck,
  Link,
  LogOut,
  MessageSquarePlus,
  Pin,
  PinOff,
  Settings2,
  Users,
} from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { copyText } from "../../parts/copy-text.ts";
import { subscriptionTo } from "../model/selectors.ts";
import { unreadCounts } from "../model/unread.ts";
import { serverUrl } from "../server-url.ts";
import { addressIn } from "../use-place.ts";
import type { Action, ActionContext } from "./action.ts";

export interface ChannelThing {
  readonly channelId: number;
}

const placeOf = ({ channelId }: ChannelThing) =>
  ({ page: "messages", narrow: { kind: "channel", channelId } }) as const;

const subscription = (state: State | undefined, { channelId }: ChannelThing) => subscriptionTo(state ?? {}, channelId);

const isSubscribed = (state: State, thing: ChannelThing): boolean => subscription(state, thing) !== undefined;

const toggle = ({ chat }: ActionContext, thing: ChannelThing, property: "is_muted" | "pin_to_top") =>
  chat.client.call("POST /users/me/subscriptions/properties", {
    subscription_data: [
      { stream_id: thing.channelId, property, value: !subscription(chat.state.value, thing)?.[property] },
    ],
  });

export const CHANNEL_ACTIONS: readonly Action<ChannelThing>[] = [
  {
    id: "markChannelRead",
    label: (t) => t("chat.markRead"),
    icon: CheckCheck,
    shownIn: ["menu", "palette"],
    isAvailable: (state, { channelId }) => (unreadCounts(state).channels.get(channelId) ?? 0) > 0,
    run: ({ markRead }, { channelId }) => markRead({ kind: "channel", channelId }),
  },
  {
    id: "newTopicIn",
    label: (t) => t("channelMenu.newTopic"),
    icon: MessageSquarePlus,
    shownIn: ["menu", "palette"],
    run: ({ go }, thing) => go(placeOf(thing), "topic"),
  },
  {
    id: "pinChannel",
    label: (t) => t("channelMenu.pin"),
    icon: Pin,
    shownIn: ["menu", "palette"],
    on: { label: (t) => t("channelMenu.unpin"), icon: PinOff },
    isOn: (state, thing) => subscription(state, thing)?.pin_to_top === true,
    isAvailable: isSubscribed,
    run: (context, thing) => toggle(context, thing, "pin_to_top"),
  },
  {
    id: "muteChannel",
    label: (t) => t("channelMenu.mute"),
    icon: BellOff,
    shownIn: ["menu", "palette"],
    on: { label: (t) => t("channelMenu.unmute"), icon: Bell },
    isOn: (state, thing) => subscription(state, thing)?.is_muted === true,
    isAvailable: isSubscribed,
    run: (context, thing) => toggle(context, thing, "is_muted"),
  },
  {
    id: "channelSettings",
    label: (t) => t("channelDialog.open"),
    icon: Settings2,
    shownIn: ["menu", "palette"],
    run: ({ openCard }, { channelId }) => openCard({ kind: "channel", channelId }),
  },
  {
    id: "channelPeople",
    label: (t) => t("channelDialog.openPeople"),
    icon: Users,
    shownIn: ["menu", "palette"],
    run: ({ openCard }, { channelId }) => openCard({ kind: "channel", channelId, section: "people" }),
  },
  {
    id: "copyChannelLink",
    label: (t) => t("chat.tools.copyLink"),
    icon: Link,
    shownIn: ["menu"],
    run: ({ chat }, thing) => copyText(`${serverUrl()}/${addressIn(chat.state.value, placeOf(thing))}`),
  },
  {
    id: "leaveChannel",
    label: (t) => t("channelMenu.leave"),
    icon: LogOut,
    shownIn: ["menu", "palette"],
    isAvailable: isSubscribed,
    run({ chat, openCard }, thing) {
      const left = subscription(chat.state.value, thing);
      if (!left) return undefined;
      // Only other people can add somebody to a private channel again, so its dialog asks first.
      if (left.invite_only) return openCard({ kind: "channel", channelId: thing.channelId, section: "own" });
      return chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [left.name] });
    },
  },
];
