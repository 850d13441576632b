import { type Problem, reported } from "../../errors.ts";
import type { Counts } from "../../imports/choices.ts";
import type { Format } from "../../imports/model.ts";
import type { Prepared } from "../../imports/preparation.ts";
import type { Survey } from "../../imports/survey.ts";
import type { Reader } from "../../storage/transaction.ts";
import { uploadSpaceLeft } from "../access/attachments.ts";
import { channelByName } from "../queries/channels.ts";
import { addedSince, allImports } from "../queries/imports.ts";
import { userByEmail } from "../queries/users.ts";

/** Newest first. */
export const importsOnWire = (reader: Reader) =>
  allImports(reader).map(({ messages: _, counts, format, ...one }) => {
    const added = one.state === "done" ? addedSince(reader, one.id) : { messages: 0, reactions: 0 };
    return {
      ...one,
      format: format as Format,
      counts: JSON.parse(counts) as Counts,
      added_messages: added.messages,
      added_reactions: added.reactions,
    };
  });

export const MAX_FAILURES = 20;

interface Fetched {
  fetched: number;
  failed: number;
  failures: readonly { url: string; reason: Problem }[];
}

/** The result of a fetch of files; null without a fetch. */
export const fetchedOnWire = (result: Fetched | undefined) =>
  result
    ? {
        fetched: result.fetched,
        failed: result.failed,
        failures: result.failures.slice(0, MAX_FAILURES).map(({ url, reason }) => ({ url, problem: reported(reason) })),
      }
    : null;

/** The contents of an export, and the initial choices for its import. */
export function exportOnWire(reader: Reader, { format, survey }: Pick<Prepared, "format" | "survey">) {
  const people = survey.people.filter(({ isBot }) => !isBot);
  const messagesIn = (place: string) =>
    Object.values(survey.places[place] ?? {}).reduce((sum, { messages }) => sum + messages, 0);
  const conversations = survey.conversations.filter(({ id }) => survey.places[id]);
  const left = uploadSpaceLeft(reader);
  return {
    format,
    people: {
      total: survey.people.length,
      bots: survey.people.length - people.length,
      with_email: people.filter(({ email }) => email !== undefined).length,
      matches: people.flatMap(({ name, email }) => {
        const user = email === undefined ? undefined : userByEmail(reader, email);
        return user && !user.is_bot ? { name, user_id: user.id } : [];
      }),
    },
    channels: survey.channels.map(({ id, name, folder, isPrivate, isArchived, memberIds }) => ({
      id,
      name,
      folder: folder ?? null,
      is_private: isPrivate,
      is_archived: isArchived,
      members: memberIds.length,
      messages: messagesIn(id),
      is_name_taken: channelByName(reader, name) !== undefined,
    })),
    direct: {
      conversations: conversations.length,
      messages: conversations.reduce((sum, { id }) => sum + messagesIn(id), 0),
    },
    files_elsewhere: Object.values(survey.places)
      .flatMap((months) => Object.values(months))
      .reduce((sum, { elsewhere }) => sum + elsewhere, 0),
    messages_by_month: messagesByMonth(survey),
    left_out: survey.leftOut,
    choices: {
      channels: survey.channels.filter(({ isPrivate }) => !isPrivate).map(({ id }) => id),
      direct_messages: false,
      consent: false,
      since: null,
      unthreaded: "month" as const,
      max_role: "member" as const,
    },
    upload_space_left: Number.isFinite(left) ? left : null,
  };
}

function messagesByMonth({ places }: Survey): Record<string, number> {
  const sums = new Map<string, number>();
  for (const months of Object.values(places))
    for (const [month, { messages }] of Object.entries(months)) sums.set(month, (sums.get(month) ?? 0) + messages);
  return Object.fromEntries([...sums].sort());
}
