import { z } from "zod";
import { readProblem, reported } from "../../errors.ts";
import { mailTexts as german } from "../../locales/de/mails.ts";
import { mailTexts as english } from "../../locales/en/mails.ts";
import { filled } from "../../locales/filled.ts";
import { textOf } from "../../markdown/summary.ts";
import type { Reader } from "../../storage/transaction.ts";
import { addressOfMessage, type Destination } from "../access/destinations.ts";
import { deliveryEmail } from "../access/email-visibility.ts";
import { invitedAddress } from "../access/invitations.ts";
import { personToMail } from "../access/mails.ts";
import { messageVisibility } from "../access/messages.ts";
import { mayChange } from "../access/users.ts";
import { invitationById } from "../queries/invitations.ts";
import {
  failingAddress,
  failingAddresses,
  type Mail,
  type MissedMessage,
  mailState,
  waitingMails,
} from "../queries/mails.ts";
import { type MessageRow, messageRow } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { ReadState } from "../queries/read-state.ts";
import { displayedTopic } from "../queries/topics.ts";
import { userSetting } from "../queries/user-settings.ts";
import { type User, userById } from "../queries/users.ts";
import { messageOnWire } from "./messages.ts";
import { conversationName, destinationOf } from "./notifications.ts";
import { wireProblem } from "./problems.ts";

/** A part of a mail, in the receiver's language. notifications/mail/layout.ts writes it as text and as HTML. */
export type MailPart =
  | { kind: "text"; text: string }
  | { kind: "button"; label: string; url: string }
  | { kind: "conversation"; title: string; label: string; url: string; messages: readonly MailedMessage[] }
  | { kind: "footer"; lines: readonly (string | { label: string; url: string })[] };

export interface MailedMessage {
  readonly heading: string;
  readonly reason: string;
  /** Lines. */
  readonly text: string;
}

export interface MailContent {
  readonly to: { readonly name: string; readonly address: string };
  /** The user whose address it is. Null: an invited address. */
  readonly receiver: number | null;
  readonly language: string;
  readonly subject: string;
  readonly parts: readonly MailPart[];
  /** The conversation that the whole mail is about. */
  readonly thread?: string | undefined;
  readonly unsubscribeUrl?: string | undefined;
}

/** The content of mails depends on these and on the data. */
export interface MailLinks {
  /** This server's URL, without a slash at the end. */
  readonly baseUrl: string;
  invitationToken(seed: string): string;
  resetToken(seed: string): string;
  unsubscribeToken(userId: number): string;
}

const MAX_SHOWN = 20;
const MAX_TEXT = 2000;

type Texts = typeof english;
const textsIn = (language: string): Texts => (language === "de" ? german : english);

const counted = (texts: Texts["missed"], language: string, count: number): string =>
  filled(new Intl.PluralRules(language).select(count) === "one" ? texts.more_one : texts.more_other, { count });

const languageOf = (reader: Reader, user: User): string =>
  userSetting(reader, user.id, "default_language") === "de" ? "de" : "en";

function timeOf(reader: Reader, user: User | undefined, language: string, at: number): string {
  const is24 = user !== undefined && userSetting(reader, user.id, "twenty_four_hour_time");
  return new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(user?.timezone && { timeZone: user.timezone }),
    ...(is24 && { hourCycle: "h23" as const }),
  }).format(at);
}

const toUser = ({ id, full_name, email }: User) => ({ to: { name: full_name, address: email }, receiver: id });

/** The mail as of now. Undefined if there is no reason for it any more. */
export function mailContent(reader: Reader, mail: Mail, links: MailLinks): MailContent | undefined {
  if (mail.kind === "invitation") return invitationContent(reader, mail, links);
  const user = mail.kind === "reset" ? undefined : personToMail(reader, mail.user_id);
  if (!user) return undefined;
  return mail.kind === "missed"
    ? missedContent(reader, user, mail.facts.messages, links)
    : mail.kind === "sign_in"
      ? signInContent(reader, user, mail, links)
      : undefined;
}

/** The user's link must exist. */
export function resetContent(
  reader: Reader,
  user: User,
  mail: Mail & { kind: "reset" },
  { baseUrl, resetToken }: MailLinks,
): MailContent {
  const language = languageOf(reader, user);
  const { hello, reset } = textsIn(language);
  const organization = organizationSetting(reader, "name");
  return {
    ...toUser(user),
    language,
    subject: filled(reset.subject, { organization }),
    parts: [
      { kind: "text", text: filled(hello, { name: user.full_name }) },
      { kind: "text", text: filled(reset.lead, { organization, email: user.email }) },
      // Browsers do not send the fragment, so logs never contain the token.
      { kind: "button", label: reset.button, url: `${baseUrl}/reset/#${resetToken(mail.facts.seed)}` },
      { kind: "text", text: filled(reset.hint, { time: timeOf(reader, user, language, mail.expires_at) }) },
    ],
  };
}

function invitationContent(
  reader: Reader,
  mail: Mail & { kind: "invitation" },
  { baseUrl, invitationToken }: MailLinks,
): MailContent | undefined {
  const invitation = invitationById(reader, mail.invitation_id, mail.created_at);
  const inviter = invitation && userById(reader, invitation.inviter_id);
  if (!invitation || !inviter?.is_active) return undefined;
  const email = invitedAddress(reader, invitation);
  if (email === undefined) return undefined;
  const { expires_at: expiresAt, stub_id } = invitation;
  const language = organizationSetting(reader, "default_language") === "de" ? "de" : "en";
  const { invitation: texts } = textsIn(language);
  const values = { organization: organizationSetting(reader, "name"), inviter: inviter.full_name, email };
  const validity =
    expiresAt === null
      ? texts.forever
      : filled(texts.until, { ...values, time: timeOf(reader, undefined, language, expiresAt) });
  return {
    to: { name: "", address: email },
    receiver: null,
    language,
    subject: filled(inviter.is_bot ? texts.subjectWithoutName : texts.subject, values),
    parts: [
      { kind: "text", text: filled(inviter.is_bot ? texts.leadWithoutName : texts.lead, values) },
      ...(stub_id === null ? [] : [{ kind: "text" as const, text: filled(texts.claim, values) }]),
      {
        kind: "button",
        label: filled(texts.button, values),
        url: `${baseUrl}/join/${invitationToken(invitation.seed)}/`,
      },
      { kind: "text", text: filled(validity, values) },
      { kind: "footer", lines: [filled(texts.hint, values)] },
    ],
  };
}

function signInContent(
  reader: Reader,
  user: User,
  { created_at, facts: { source, program } }: Mail & { kind: "sign_in" },
  { baseUrl }: MailLinks,
): MailContent {
  const language = languageOf(reader, user);
  const { hello, signIn } = textsIn(language);
  const organization = organizationSetting(reader, "name");
  const facts = [
    filled(signIn.time, { time: timeOf(reader, user, language, created_at) }),
    filled(signIn.source, { source }),
    ...(program ? [filled(signIn.program, { program })] : []),
  ];
  return {
    ...toUser(user),
    language,
    subject: filled(signIn.subject, { organization }),
    parts: [
      { kind: "text", text: filled(hello, { name: user.full_name }) },
      { kind: "text", text: filled(signIn.lead, { organization, email: user.email }) },
      { kind: "text", text: facts.join("\n") },
      { kind: "text", text: signIn.hint },
      { kind: "button", label: signIn.button, url: `${baseUrl}/#settings/account` },
      { kind: "footer", lines: [{ label: signIn.settings, url: `${baseUrl}/#settings/notifications` }] },
    ],
  };
}

/** For the operator's address, which may have no account. */
export function testContent(reader: Reader, user: User | null, address: string): MailContent {
  const language = user ? languageOf(reader, user) : organizationSetting(reader, "default_language");
  const { test } = textsIn(language);
  const organization = organizationSetting(reader, "name");
  return {
    to: { name: user && user.email === address ? user.full_name : "", address },
    receiver: user && user.email === address ? user.id : null,
    language,
    subject: filled(test.subject, { organization }),
    parts: [{ kind: "text", text: filled(test.text, { organization }) }],
  };
}

interface Conversation {
  key: string;
  to: Destination;
  messages: { row: MessageRow; trigger: MissedMessage["trigger"] }[];
}

function missedContent(
  reader: Reader,
  user: User,
  missed: readonly MissedMessage[],
  { baseUrl, unsubscribeToken }: MailLinks,
): MailContent | undefined {
  const conversations = conversationsIn(reader, user, missed);
  const count = conversations.reduce((sum, { messages }) => sum + messages.length, 0);
  const [first] = conversations;
  if (!first) return undefined;
  const language = languageOf(reader, user);
  const texts = textsIn(language).missed;
  const organization = organizationSetting(reader, "name");
  const title = (to: Destination) => titleOf(reader, user, to, texts);
  const subject =
    conversations.length > 1
      ? filled(texts.subjectSeveral, { count, conversations: conversations.length })
      : filled("channel" in first.to || first.to.userIds.length > 2 ? texts.subjectConversation : texts.subjectDirect, {
          conversation: title(first.to),
          name: title(first.to),
        });
  const [parts, shown] = partsOf(reader, user, conversations, { baseUrl, language, title });
  const unsubscribe = unsubscribeToken(user.id);
  const inSubject = userSetting(reader, user.id, "realm_name_in_email_notifications_policy") === 2;
  return {
    ...toUser(user),
    language,
    subject: inSubject ? `[${organization}] ${subject}` : subject,
    thread: conversations.length === 1 ? first.key : undefined,
    unsubscribeUrl: `${baseUrl}/host/unsubscribe/${unsubscribe}`,
    parts: [
      { kind: "text", text: filled(texts.lead, { organization }) },
      ...parts,
      ...(count > shown ? [{ kind: "text", text: counted(texts, language, count - shown) } as const] : []),
      {
        kind: "footer",
        lines: [
          filled(texts.why, { organization }),
          texts.isReply,
          { label: texts.settings, url: `${baseUrl}/#settings/notifications` },
          { label: texts.unsubscribe, url: `${baseUrl}/unsubscribe/#${unsubscribe}` },
        ],
      },
    ],
  };
}

/** The messages that the user can still read and has not read, by conversation. */
function conversationsIn(reader: Reader, user: User, missed: readonly MissedMessage[]): Conversation[] {
  const visibility = messageVisibility(reader, user);
  const state = new ReadState(reader, user.id);
  const found = new Map<string, Conversation>();
  for (const { message_id: id, trigger } of missed) {
    const row = visibility.sees(id) && state.isUnread(id) ? messageRow(reader, id) : undefined;
    if (!row) continue;
    const to = destinationOf(reader, row);
    const key = conversationName(row);
    const conversation = found.get(key) ?? { key, to, messages: [] };
    conversation.messages.push({ row, trigger });
    found.set(key, conversation);
  }
  return [...found.values()];
}

function partsOf(
  reader: Reader,
  user: User,
  conversations: readonly Conversation[],
  { baseUrl, language, title }: { baseUrl: string; language: string; title(to: Destination): string },
): [parts: MailPart[], shown: number] {
  const texts = textsIn(language).missed;
  const hasText =
    userSetting(reader, user.id, "message_content_in_email_notifications") &&
    organizationSetting(reader, "message_content_allowed_in_email_notifications");
  const parts: MailPart[] = [];
  let shown = 0;
  for (const { to, messages } of conversations) {
    if (shown === MAX_SHOWN) break;
    const some = messages.slice(0, MAX_SHOWN - shown);
    shown += some.length;
    const [first] = some as [Conversation["messages"][number]];
    parts.push({
      kind: "conversation",
      title: title(to),
      label: texts.open,
      url: `${baseUrl}${addressOfMessage(first.row.id, to, user)}`,
      messages: some.map(({ row, trigger }) => ({
        heading: `${messageOnWire(reader, row, { viewer: user }).sender_full_name} · ${timeOf(reader, user, language, row.sent_at)}`,
        reason: texts.reasons[trigger],
        text: hasText ? textOf(row.rendered_content, row.content, MAX_TEXT) || texts.noText : texts.hidden,
      })),
    });
  }
  return [parts, shown];
}

function titleOf(reader: Reader, user: User, to: Destination, texts: Texts["missed"]): string {
  if ("channel" in to)
    return filled(texts.inTopic, { channel: to.channel.name, topic: displayedTopic(to.topic, false) });
  const others = to.userIds.filter((id) => id !== user.id).map((id) => userById(reader, id)?.full_name ?? "");
  return others.length > 1 ? filled(texts.group, { people: others.join(", ") }) : (others[0] ?? user.full_name);
}

export const wireMailState = z.object({
  last_sent_at: z.int().nullable(),
  last_failure: z.object({ at: z.int(), problem: wireProblem }).nullable().describe("The newest failure."),
  waiting: z.int().describe("Mails that are not sent yet."),
  given_up: z.int().describe("Mails that were given up since the settings changed."),
});

export function mailStateOnWire(reader: Reader): z.output<typeof wireMailState> {
  const { last_sent_at, last_failure_at, last_failure, given_up } = mailState(reader);
  const failure = readProblem(last_failure);
  return {
    last_sent_at,
    last_failure: failure && last_failure_at !== null ? { at: last_failure_at, problem: reported(failure) } : null,
    waiting: waitingMails(reader),
    given_up,
  };
}

export const wireFailingAddress = z.object({
  user_id: z.int(),
  full_name: z.string(),
  response: z
    .string()
    .nullable()
    .describe("The response of the mail server, which can contain the address; null if the caller cannot see it."),
  failed_at: z.int(),
});

/** The viewer's own address, and those of the people whom the viewer can change. */
export const failingAddressesOnWire = (reader: Reader, viewer: User): z.output<typeof wireFailingAddress>[] =>
  [...failingAddresses(reader).keys()].flatMap((id) => {
    const user = userById(reader, id) as User;
    const failing = failingAddress(reader, user);
    if (!failing || (id !== viewer.id && !mayChange(viewer, user))) return [];
    const response = deliveryEmail(reader, user, viewer) === null ? null : failing.response;
    return [{ user_id: id, full_name: user.full_name, response, failed_at: failing.failed_at }];
  });
