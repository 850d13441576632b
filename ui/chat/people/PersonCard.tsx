import { Anchor, Button } from "@mantine/core";
import { UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { locale } from "../../locales/i18n.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { useNow } from "../../parts/use-now.ts";
import { PERSON_ACTIONS } from "../actions/person.ts";
import { type ShownAction, useActions } from "../actions/use-actions.ts";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { FIELD, groupsOf, isMuted, type ProfileValue, profileOf, roleOf, timeAt } from "../model/people.ts";
import { type Person, personById, presenceOf } from "../model/selectors.ts";
import { Presence } from "../parts/Presence.tsx";
import { useOpenCard } from "./open-card.ts";
import classes from "./People.module.css";
import { EmojiOf, statusOf } from "./StatusEmoji.tsx";
import { usePresenceText } from "./use-presence-text.ts";

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
  const time = timeAt(person.timezone, now, locale());
  const groups = useDerived((state) => groupsOf(state, userId));
  const profile = useDerived((state) => profileOf(state, person));
  const owner = useChatState((state) => (ownerId === null ? undefined : personById(state, ownerId)));
  const presenceText = usePresenceText(userId);

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
              <span>{presenceText}</span>
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
  const { place } = useChat();
  const [error, setError] = useState<string>();
  const isMutedHere = useChatState((state) => isMuted(state, person.user_id));
  const here = place.page === "messages" ? place.narrow : undefined;
  const actions = useActions(PERSON_ACTIONS, "card", { person, here }, setError);
  const perform = ({ id, run }: ShownAction) => {
    if (id !== "mutePerson") onClose();
    run();
  };
  return (
    <>
      <div className={classes.actions}>
        {actions.map((action, index) => (
          <Button
            key={action.id}
            size="sm"
            {...(index > 0 && { variant: "default" })}
            {...(action.id === "mutePerson" && { variant: "subtle", color: "gray" })}
            leftSection={action.Icon && <action.Icon size="1rem" aria-hidden="true" />}
            onClick={() => perform(action)}
          >
            {action.text}
          </Button>
        ))}
      </div>
      {isMutedHere && (
        <Callout tone="info" role="status">
          {t("chatPeople.mutedHint")}
        </Callout>
      )}
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
    </>
  );
}

/** Wraps a long email address before its domain. */
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
