import { Anchor, Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { AtSign, BellOff, MessageCircle, Search, Settings, Smile, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { locale } from "../../locales/i18n.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { relative } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { placeAt } from "../model/narrow.ts";
import {
  FIELD,
  groupsOf,
  isMuted,
  lastSeen,
  mentionOf,
  type ProfileValue,
  profileOf,
  roleOf,
  timeAt,
} from "../model/people.ts";
import { type Person, personById, presenceOf } from "../model/selectors.ts";
import { Presence } from "../Presence.tsx";
import { addressOfSettings } from "../settings/sections.ts";
import { useOpenCard } from "./open-card.ts";
import classes from "./People.module.css";
import { EmojiOf, statusOf } from "./StatusEmoji.tsx";

export function PersonCard({ userId, onClose }: { userId: number; onClose(): void }) {
  const { t } = useTranslation();
  const person = useChatState((state) => personById(state, userId));
  const name = person?.full_name ?? t("chat.unknownPerson");
  return (
    <Dialog title={name} onClose={onClose}>
      {person ? (
        <Card person={person} onClose={onClose} />
      ) : (
        <p className={classes.unknown}>{t("chatPeople.unknown")}</p>
      )}
    </Dialog>
  );
}

function Card({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTranslation();
  const now = useNow();
  const open = useOpenCard();
  const { user_id: userId, bot_owner_id: ownerId } = person;
  const status = useChatState((state) => statusOf(state, userId));
  const presence = useChatState((state) => presenceOf(state, userId, now));
  const seen = useChatState((state) => lastSeen(state, userId));
  const time = timeAt(person.timezone, now, locale());
  const groups = useDerived((state) => groupsOf(state, userId));
  const profile = useDerived((state) => profileOf(state, person));
  const owner = useChatState((state) => (ownerId === null ? undefined : personById(state, ownerId)));
  const presenceText = () => {
    if (presence !== "offline") return t(`chatPeople.presence.${presence}`);
    return seen === undefined
      ? t("chatPeople.presence.offline")
      : t("chatPeople.lastSeen", { time: relative(seen, now) });
  };

  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <img
          className={classes.picture}
          src={`/avatar/${userId}/medium?v=${person.avatar_version}`}
          alt=""
          width={112}
          height={112}
        />
        <div className={classes.about}>
          <p className={classes.line}>
            <UserRound size="1rem" aria-hidden="true" />
            {person.is_bot ? t("chatPeople.bot") : t(`chatPeople.role.${roleOf(person)}`)}
            {!person.is_active && <span className={classes.tag}>{t("chatPeople.deactivated")}</span>}
          </p>
          {!person.is_bot && person.is_active && (
            <p className={`${classes.line} ${classes.presence}`}>
              <Presence presence={presence} />
              <span>{presenceText()}</span>
            </p>
          )}
          {time !== undefined && <p className={classes.line}>{t("chatPeople.localTime", { time })}</p>}
          {status && (status.emoji_name || status.status_text) && (
            <p className={classes.status}>
              {status.emoji_name && <EmojiOf status={status} />}
              <bdi>{status.status_text}</bdi>
            </p>
          )}
        </div>
      </div>
      <Actions person={person} onClose={onClose} />
      <dl className={classes.facts}>
        {person.delivery_email && (
          <Fact name={t("chatPeople.email")}>
            <Anchor href={`mailto:${person.delivery_email}`}>
              <EmailAddress address={person.delivery_email} />
            </Anchor>
          </Fact>
        )}
        {owner && (
          <Fact name={t("chatPeople.botOwner")}>
            <PersonLink person={owner} />
          </Fact>
        )}
        {profile.map((value) => (
          <Fact key={value.field.id} name={value.field.name}>
            <Value value={value} />
          </Fact>
        ))}
        {groups.length > 0 && (
          <Fact name={t("chatPeople.groups")}>
            <span className={classes.chips}>
              {groups.map(({ id, name }) => (
                <button
                  key={id}
                  type="button"
                  className={classes.chip}
                  onClick={() => open({ kind: "group", groupId: id })}
                >
                  <bdi>{name}</bdi>
                </button>
              ))}
            </span>
          </Fact>
        )}
        <Fact name={t("chatPeople.joined")}>
          {new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(Date.parse(person.date_joined))}
        </Fact>
      </dl>
    </div>
  );
}

function Actions({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page, go, place } = useChat();
  const open = useOpenCard();
  const { user_id: userId } = person;
  const isSelf = userId === chat.userId;
  const isMutedHere = useChatState((state) => isMuted(state, userId));
  const writesHere = place.page === "messages" && ["topic", "channel", "direct"].includes(place.narrow.kind);
  const sent = placeAt(`#narrow/sender/${userId}`);
  const leave = (work: () => void) => () => {
    onClose();
    work();
  };
  const mute = useMutation({
    mutationFn: () =>
      chat.client.call(
        isMutedHere ? "DELETE /users/me/muted_users/{muted_user_id}" : "POST /users/me/muted_users/{muted_user_id}",
        { muted_user_id: userId },
      ),
  });
  return (
    <>
      <div className={classes.actions}>
        <Button
          size="sm"
          leftSection={<MessageCircle size="1rem" aria-hidden="true" />}
          onClick={leave(() => go({ page: "messages", narrow: { kind: "direct", userIds: [userId] } }))}
        >
          {t(isSelf ? "chat.notesToSelf" : "chatPeople.message")}
        </Button>
        {isSelf ? (
          <>
            <Button
              size="sm"
              variant="default"
              leftSection={<Smile size="1rem" aria-hidden="true" />}
              onClick={() => open({ kind: "status" })}
            >
              {t("chatPeople.status.set")}
            </Button>
            <Button
              size="sm"
              variant="default"
              leftSection={<Settings size="1rem" aria-hidden="true" />}
              onClick={leave(() => {
                window.location.hash = addressOfSettings("profile");
              })}
            >
              {t("chatPeople.editProfile")}
            </Button>
          </>
        ) : (
          <>
            {writesHere && (
              <Button
                size="sm"
                variant="default"
                leftSection={<AtSign size="1rem" aria-hidden="true" />}
                onClick={leave(() =>
                  page.update((before) => ({ ...before, insertion: mentionOf(chat.state.value ?? {}, person) })),
                )}
              >
                {t("chatPeople.mention")}
              </Button>
            )}
            {sent.page === "messages" && (
              <Button
                size="sm"
                variant="default"
                leftSection={<Search size="1rem" aria-hidden="true" />}
                onClick={leave(() => go(sent))}
              >
                {t("chatPeople.messages")}
              </Button>
            )}
            <Button
              size="sm"
              variant="subtle"
              color="gray"
              leftSection={<BellOff size="1rem" aria-hidden="true" />}
              onClick={() => mute.mutate()}
            >
              {t(isMutedHere ? "chatPeople.unmute" : "chatPeople.mute")}
            </Button>
          </>
        )}
      </div>
      {isMutedHere && (
        <Callout tone="info" role="status">
          {t("chatPeople.mutedHint")}
        </Callout>
      )}
      <ErrorCallout error={mute.error} />
    </>
  );
}

/** Wraps a long address before its domain. */
function EmailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf("@");
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Value({ value: { field, text, link, userIds } }: { value: ProfileValue }) {
  const people = useDerived((state) => userIds?.flatMap((id) => personById(state, id) ?? []));
  if (people)
    return (
      <span className={classes.chips}>
        {people.map((person) => (
          <PersonLink key={person.user_id} person={person} />
        ))}
      </span>
    );
  if (link)
    return (
      <Anchor href={link} target="_blank" rel="noopener noreferrer">
        {text}
      </Anchor>
    );
  if (field.type === FIELD.date && !Number.isNaN(Date.parse(text)))
    return new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(text));
  return <bdi className={classes.text}>{text}</bdi>;
}

function PersonLink({ person }: { person: Person }) {
  const open = useOpenCard();
  return (
    <button type="button" className={classes.chip} onClick={() => open({ kind: "person", userId: person.user_id })}>
      <bdi>{person.full_name}</bdi>
    </button>
  );
}
