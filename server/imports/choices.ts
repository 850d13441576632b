import type { ImportedChannel, ImportedConversation, ImportedMessage, Role } from "./model.ts";
import { MONTH_COUNTS } from "./months.ts";
import { hasPicture, type Survey } from "./survey.ts";

/** An administrator's choices for an import. */
export interface Choices {
  /** IDs of channels in the export. */
  channels: readonly string[];
  directMessages: boolean;
  /** The administrator has confirmed that the organization may import private channels and direct messages. */
  consent: boolean;
  /** Leaves out messages before this UTC month, such as "2024-03". */
  since: string | null;
  /** The topic for messages outside of threads: one for each month, or this one. */
  unthreaded: "month" | { topic: string };
  /** The highest role that people get. */
  maxRole: Exclude<Role, "guest">;
  /** The language of months in topics. */
  locale: string;
}

export interface Selection {
  channels: ImportedChannel[];
  conversations: ImportedConversation[];
  includes(message: Pick<ImportedMessage, "place" | "sentAt">): boolean;
}

export function selectionOf(
  survey: Pick<Survey, "channels" | "conversations" | "places">,
  choices: Choices,
): Selection {
  const wanted = new Set(choices.channels);
  const channels = survey.channels.filter(({ id }) => wanted.has(id));
  const conversations = choices.directMessages ? survey.conversations.filter(({ id }) => survey.places[id]) : [];
  const places = new Set([...channels, ...conversations].map(({ id }) => id));
  const since = choices.since === null ? Number.NEGATIVE_INFINITY : Date.parse(`${choices.since}-01T00:00:00Z`);
  return { channels, conversations, includes: ({ place, sentAt }) => places.has(place) && sentAt >= since };
}

/** Whether the choices contain things that not everybody could read in the source. */
export const includesPrivate = (
  survey: Pick<Survey, "channels" | "conversations" | "places">,
  choices: Choices,
): boolean => {
  const { channels, conversations } = selectionOf(survey, choices);
  return conversations.length > 0 || channels.some(({ isPrivate }) => isPrivate);
};

/** The things that an import writes. */
export interface Counts {
  people: number;
  channels: number;
  conversations: number;
  emoji: number;
  messages: number;
  reactions: number;
  /** Files in the export, and at the source. */
  files: number;
  bytes: number;
  elsewhere: number;
  missing: number;
}

export function countsOf(survey: Survey, choices: Choices): Counts {
  const { channels, conversations } = selectionOf(survey, choices);
  const counts: Counts = {
    people: survey.people.length,
    channels: channels.length,
    conversations: conversations.length,
    emoji: survey.emoji.filter(hasPicture).length,
    messages: 0,
    reactions: 0,
    files: 0,
    bytes: 0,
    elsewhere: 0,
    missing: 0,
  };
  for (const { id } of [...channels, ...conversations])
    for (const [month, numbers] of Object.entries(survey.places[id] ?? {})) {
      if (choices.since !== null && month < choices.since) continue;
      for (const name of MONTH_COUNTS) counts[name] += numbers[name];
    }
  return counts;
}
