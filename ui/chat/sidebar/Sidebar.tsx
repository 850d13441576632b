import { Button } from "@mantine/core";
import { ChevronDown, ChevronUp, Hash, type LucideIcon, MessageCirclePlus, Plus, Search } from "lucide-react";
import { type CSSProperties, memo, type ReactNode, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { useStore } from "../../api/store.ts";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { channelsShown } from "../model/folded-folders.ts";
import { type ListPage, narrowKey, type Place, placeOfView, type ViewKind } from "../model/narrow.ts";
import { mayCreateChannels, mayStartDirect } from "../model/permissions.ts";
import { type ChannelGroup, channelGroups, type Subscription } from "../model/selectors.ts";
import { type UnreadCounts, unreadCounts } from "../model/unread.ts";
import type { OpenDialog } from "../page-state.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { useIsPhone } from "../parts/is-phone.ts";
import { MentionMark, UnreadCount } from "../parts/UnreadCount.tsx";
import { VIEW_ICONS } from "../parts/view-icons.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { ChannelItem } from "./ChannelItem.tsx";
import { DirectMessages } from "./DirectMessages.tsx";
import lineClasses from "./PlaceLink.module.css";
import { PlaceLink, useHereKey } from "./PlaceLink.tsx";
import classes from "./Sidebar.module.css";

/** Rarely opened views. While they are folded, only the open one is visible. */
const FURTHER_VIEWS = ["feed", "directs", "followed", "reactions", "drafts", "scheduled", "reminders"] as const;

const viewAt = (place: Place): string => (place.page === "messages" ? place.narrow.kind : place.page);

export function Sidebar() {
  const { t } = useTranslation();
  const { chat, page, place, signIn } = useChat();
  const picture = useChatState(({ realm_icon_url }) => realm_icon_url);
  const name = useChatState(({ realm_name }) => realm_name);
  const [showsAll, setShowsAll] = useState(false);
  const open = (dialog: OpenDialog) => page.update((before) => ({ ...before, dialog }));

  return (
    <div className={classes.sidebar}>
      <header className={classes.header}>
        <img className={classes.picture} src={picture} alt="" width={32} height={32} />
        <h1 className={classes.organization}>
          <bdi>{name}</bdi>
        </h1>
        {chat.isSpectator ? (
          <Button size="xs" onClick={signIn}>
            {t("spectator.signIn")}
          </Button>
        ) : (
          <AccountMenu />
        )}
      </header>
      <button type="button" className={classes.search} onClick={() => open({ kind: "palette", mode: "search" })}>
        <Search size="1rem" aria-hidden="true" />
        <span>{t("search.title")}</span>
        <span className={classes.key}>/</span>
      </button>
      <div className={classes.body}>
        {!chat.isSpectator && (
          <ul className={`${classes.list} ${classes.views}`}>
            <View view="inbox" count={unreadIn} />
            <View view="mentions" count={mentionsIn} isUrgent />
            <View view="recent" />
            <View view="starred" />
            {FURTHER_VIEWS.filter((view) => showsAll || view === viewAt(place)).map((view) => (
              <View key={view} view={view} />
            ))}
            <li>
              <button
                type="button"
                className={classes.more}
                aria-expanded={showsAll}
                onClick={() => setShowsAll(!showsAll)}
              >
                {showsAll ? (
                  <ChevronUp size="1.0625rem" aria-hidden="true" />
                ) : (
                  <ChevronDown size="1.0625rem" aria-hidden="true" />
                )}
                {t("views.more")}
              </button>
            </li>
          </ul>
        )}
        <div className={classes.scroll}>
          {!chat.isSpectator && (
            <Section
              title={t("chat.directMessages")}
              action={t("chat.newDirectMessage")}
              onAction={() => open({ kind: "newDirect" })}
            >
              <DirectMessages />
            </Section>
          )}
          <Section
            title={t("chat.channels")}
            {...(!chat.isSpectator && { action: t("chat.browseChannels"), onAction: () => open({ kind: "browse" }) })}
          >
            <Channels />
          </Section>
        </div>
      </div>
    </div>
  );
}

interface ViewProps {
  view: ListPage | ViewKind;
  count?(state: State): number;
  isUrgent?: boolean;
}

const unreadIn = (state: State): number => unreadCounts(state).total;
const mentionsIn = ({ unread_msgs }: State): number => unread_msgs?.mentions.length ?? 0;
const none = () => 0;

function View({ view, count: countIn = none, isUrgent = false }: ViewProps) {
  const { t } = useTranslation();
  const count = useChatState(countIn);
  const Icon = VIEW_ICONS[view];
  return (
    <PlaceLink place={placeOfView(view)} icon={<Icon size="1.0625rem" />} count={count} isUrgent={isUrgent}>
      {t(`views.${view}`)}
    </PlaceLink>
  );
}

const Channels = memo(function Channels() {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const counts = useChatState(unreadCounts);
  const groups = useChatState(channelGroups);
  const folded = useStore(chat.folded.store, (ids) => ids);
  const openId = openChannel(place);
  const hereKey = useHereKey();
  const isAtChannel = openId !== undefined && hereKey === narrowKey({ kind: "channel", channelId: openId });
  const isPhone = useIsPhone();
  // The conversation and the channels in view are drawn first. The other channels follow, and those of an opened folder.
  const showsAll = useDeferredValue(true, false);
  const foldedBefore = useDeferredValue(folded);
  const isWhole = ({ folderId }: ChannelGroup) => showsAll && (folderId === undefined || !foldedBefore.has(folderId));
  if (groups.length === 0)
    return chat.isSpectator ? <p className={classes.empty}>{t("spectator.noChannels")}</p> : <NoChannels />;
  return groups.map((group) => (
    <div key={group.key}>
      {group.folderId !== undefined && (
        <FolderHeading
          id={group.folderId}
          name={group.folder ?? ""}
          isFolded={folded.has(group.folderId)}
          count={unreadOf(group, counts)}
          isMentioned={group.channels.some(({ stream_id }) => counts.mentionedChannels.has(stream_id))}
          onToggle={chat.folded.toggle}
        />
      )}
      {partsOf(channelsShown(group, folded, openId).slice(0, isWhole(group) ? undefined : PART)).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
        <ul key={at} className={`${classes.list} ${classes.part}`} style={{ "--lines": part.length } as CSSProperties}>
          {part.map((channel) => {
            const { stream_id: id, is_muted } = channel;
            // A muted channel counts everything, in grey, unless it has a followed topic.
            const unmuted = counts.unmuted.get(id) ?? 0;
            const isMuted = is_muted && unmuted === 0;
            return (
              <ChannelItem
                key={id}
                channel={channel}
                count={isMuted ? (counts.channels.get(id) ?? 0) : unmuted}
                isMuted={isMuted}
                isMentioned={counts.mentionedChannels.has(id)}
                isHere={id === openId && isAtChannel}
                isOpen={id === openId}
                isPhone={isPhone}
                hasMenu={!chat.isSpectator}
              />
            );
          })}
        </ul>
      ))}
    </div>
  ));
});

function NoChannels() {
  const { t } = useTranslation();
  const { page } = useChat();
  const isGuest = useChatState((state) => state.is_guest === true);
  const isCreator = useChatState(mayCreateChannels);
  const writes = useChatState(mayStartDirect);
  const button = (dialog: OpenDialog, Icon: LucideIcon, label: string) => (
    <Button
      size={IS_TOUCHED ? "md" : "xs"}
      variant="default"
      leftSection={<Icon size="1rem" aria-hidden="true" />}
      onClick={() => page.update((before) => ({ ...before, dialog }))}
    >
      {label}
    </Button>
  );
  return (
    <>
      <p className={classes.empty}>{t(isGuest ? "chat.noChannelsAsGuest" : "chat.noChannels")}</p>
      <div className={classes.ways}>
        {!isGuest && button({ kind: "browse" }, Hash, t("chat.browseChannels"))}
        {!isGuest && isCreator && button({ kind: "newChannel" }, Plus, t("newChannel.title"))}
        {writes && button({ kind: "newDirect" }, MessageCirclePlus, t("chat.newDirectMessage"))}
      </div>
    </>
  );
}

interface FolderHeadingProps {
  id: number;
  name: string;
  isFolded: boolean;
  /** For all its channels, shown while it is folded. */
  count: number;
  isMentioned: boolean;
  onToggle(id: number): void;
}

const FolderHeading = memo(function FolderHeading(props: FolderHeadingProps) {
  const { id, name, isFolded, count, isMentioned, onToggle } = props;
  return (
    <h3 className={classes.folder}>
      <button type="button" aria-expanded={!isFolded} data-unread={isFolded && count > 0} onClick={() => onToggle(id)}>
        <ChevronDown size="0.9375rem" aria-hidden="true" />
        <span>
          <bdi>{name}</bdi>
        </span>
        {isFolded && isMentioned && <MentionMark />}
        {isFolded && count > 0 && <UnreadCount count={count} className={lineClasses.count} />}
      </button>
    </h3>
  );
});

const unreadOf = ({ channels }: ChannelGroup, { unmuted }: UnreadCounts): number =>
  channels.reduce((sum, { stream_id }) => sum + (unmuted.get(stream_id) ?? 0), 0);

/** Channels per list. The browser draws only lists in view, so they are short. */
const PART = 50;
const partsOf = (channels: readonly Subscription[]): (readonly Subscription[])[] =>
  Array.from({ length: Math.ceil(channels.length / PART) }, (_, at) => channels.slice(at * PART, (at + 1) * PART));

function openChannel(place: Place): number | undefined {
  if (place.page === "topics") return place.channelId;
  return place.page === "messages" && "channelId" in place.narrow ? place.narrow.channelId : undefined;
}

interface SectionProps {
  title: string;
  action?: string;
  onAction?(): void;
  children: ReactNode;
}

function Section({ title, action, onAction, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHeader}>
        <h2>{title}</h2>
        {action && (
          <IconButton size="sm" onClick={onAction} label={action}>
            <Plus size="1rem" aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {children}
    </section>
  );
}
