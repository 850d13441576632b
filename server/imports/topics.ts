import type { ImportedMessage } from "./model.ts";

/** Unicode code points of a topic: docs/protocol.md#topics. */
export const MAX_TOPIC_LENGTH = 60;

export interface TopicChoices {
  /** The topic for messages outside of threads: one for each month, or this one. */
  unthreaded: "month" | { topic: string };
  /** The language of months, as in "March 2024". */
  locale: string;
}

/** Cuts a text to the length of a topic, or to the given length. */
export function shortened(text: string, length = MAX_TOPIC_LENGTH): string {
  const letters = [...text];
  if (letters.length <= length) return text;
  const start = letters.slice(0, length - 1).join("");
  return `${start.trimEnd()}…`;
}

/** The form in which topics of a channel are compared. */
const keyOf = (topic: string): string => topic.normalize("NFC").toLowerCase();

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: " " };

/** Mentions of the text as words, without formatting marks. Readers write some characters as references. */
const wordsOf = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,3})|(amp|lt|gt|nbsp));/g, (_, code: string | undefined, name = "") =>
      code === undefined ? (CHARACTERS[name] as string) : String.fromCharCode(Number(code)),
    )
    .replace(/[*_~`#>[\]()|]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/**
 * Assigns topics to the messages of channels. A thread is a topic with the first words of its first message. Call it for
 * messages in the order of their times: memory grows with the number of threads.
 */
export class Topics {
  readonly #choices: TopicChoices;
  readonly #month: Intl.DateTimeFormat;
  readonly #threads = new Map<string, string>();
  /** Used topics of threads, as place and key. */
  readonly #used = new Set<string>();

  constructor(choices: TopicChoices) {
    this.#choices = choices;
    this.#month = new Intl.DateTimeFormat(choices.locale, { month: "long", year: "numeric", timeZone: "UTC" });
  }

  /** `text`: the message as plain text, with the names of mentioned people. */
  of(message: ImportedMessage, text: string): string {
    const { place, threadId, sentAt } = message;
    if (message.topic !== undefined) return shortened(message.topic.trim());
    if (threadId === undefined) return this.#unthreaded(sentAt);
    const thread = `${place} ${threadId}`;
    const existing = this.#threads.get(thread);
    if (existing !== undefined) return existing;
    const topic = this.#unused(place, shortened(wordsOf(text)) || this.#unthreaded(sentAt));
    this.#threads.set(thread, topic);
    return topic;
  }

  #unthreaded(sentAt: number): string {
    const { unthreaded } = this.#choices;
    return unthreaded === "month" ? this.#month.format(sentAt) : unthreaded.topic;
  }

  /** Two threads can begin with the same words. */
  #unused(place: string, topic: string): string {
    let candidate = topic;
    for (let count = 2; this.#used.has(`${place} ${keyOf(candidate)}`); count += 1) {
      const end = ` (${count})`;
      candidate = `${[...topic]
        .slice(0, MAX_TOPIC_LENGTH - end.length)
        .join("")
        .trimEnd()}${end}`;
    }
    this.#used.add(`${place} ${keyOf(candidate)}`);
    return candidate;
  }
}
