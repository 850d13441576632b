import { openedSecrets } from "../../api/access/bots.ts";
import { webhookTargets } from "../../api/access/webhook-addresses.ts";
import {
  type Attempt,
  cancelDelivery,
  completeDelivery,
  refusalIn,
  retryDelivery,
} from "../../api/actions/webhook-deliveries.ts";
import type { WireWebhookDelivery } from "../../api/presenters/webhook-deliveries.ts";
import { type Bot, type BotService, botById } from "../../api/queries/bots.ts";
import { isDeactivated } from "../../api/queries/organization.ts";
import { userById } from "../../api/queries/users.ts";
import {
  isDue,
  nextDeliveries,
  outgoingBot,
  outgoingBots,
  type WebhookDelivery,
} from "../../api/queries/webhook-deliveries.ts";
import type { App } from "../../app.ts";
import { problem } from "../../errors.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { readAnswer } from "./answer.ts";
import { NO_OWNER, OwnerTurns } from "./owner-turns.ts";
import { type Payload, payloadsOf, signatureHeaders } from "./payload.ts";
import { type Poster, PostFailed } from "./post.ts";

/** Interval of checks for deliveries that became due without an event. */
const LOOK_MS = 1000;
/** Deliveries in flight, over all bots. Owners take turns, and one owner has at most half of them. */
const MAX_UNDER_WAY = 64;
/** Started in each window, over all bots: a receiver that recovers with a long queue must not slow down the chat. */
const MAX_STARTS = 16;
const START_WINDOW_MS = 50;
/** Batches the results that arrive within this time into one transaction. */
export const WRITE_AFTER_MS = 5;
/** Responses are parsed and rendered for this long before their changes are written and other requests run. */
const WRITE_SLICE_MS = 5;
const DELIVER = { actor: null, action: "deliver to webhook" };

interface Due {
  bot: Bot;
  delivery: WebhookDelivery;
  /** Undefined if it cannot be decrypted. So is the signing secret. */
  token: string | undefined;
  signingSecret: string | undefined;
}

const UNREADABLE = problem("webhook_secrets_unreadable");

/** The result of a delivery, to be written. */
interface Ended {
  delivery: WebhookDelivery;
  outcome: { attempt: Attempt; is: "delivered" | "failed" | "to be tried again" } | "nothing to deliver";
}

type Change = (tx: Transaction) => void;

interface Prepared {
  delivery: WebhookDelivery;
  change: Change;
}

/** Statuses after which a later attempt may succeed. */
const passes = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429;

/**
 * Posts due deliveries: one at a time for each bot, in the order of their messages. So a delivery that fails delays
 * only later ones of its bot. A test belongs to no message: it delays none, and waits only for the one in flight.
 */
export class WebhookPump {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #secrets: App["webhookSecrets"];
  readonly #now: () => number;
  readonly #report: (message: string, error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Bots with something due wait here for a slot. They hold it while a delivery is in flight. */
  readonly #bots = new OwnerTurns<number>(MAX_UNDER_WAY);
  /** Starts in the current window, which the timer ends. */
  #starts = 0;
  #window: NodeJS.Timeout | undefined;
  readonly #ended: Ended[] = [];
  #writing: NodeJS.Timeout | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(options: {
    store: Store;
    poster: Poster;
    secrets: App["webhookSecrets"];
    now: () => number;
    report: (message: string, error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#poster = options.poster;
    this.#secrets = options.secrets;
    this.#now = options.now;
    this.#report = options.report;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    // Events are published when their records are on disk, so a crash never takes back what was delivered.
    this.#store.onPublish((events) => {
      for (const { event } of events) {
        if (event.type === "webhook_delivery") this.#noteQueued(event.delivery as WireWebhookDelivery);
        else if (event.type === "webhook_settings") this.#note(event.bot_id as number); // it may continue after a pause
      }
    });
  }

  /** Retries are found by the timer. So are deliveries of bots that nobody manages. */
  #noteQueued({ bot_id, state, due_at }: WireWebhookDelivery): void {
    if (state === "waiting" && isDue({ due_at }, this.#now())) this.#note(bot_id);
  }

  #note(botId: number): void {
    this.#add(botId);
    this.#wake();
  }

  #add(botId: number): void {
    this.#bots.add(userById(this.#store.reader, botId)?.bot_owner_id ?? NO_OWNER, botId);
  }

  /** Starts new deliveries soon. Many calls in one iteration are combined into one check. */
  #wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#lookAtNoted();
    });
  }

  /** Starts all due deliveries. */
  look(): void {
    for (const { id } of outgoingBots(this.#store.reader)) this.#add(id);
    this.#lookAtNoted();
  }

  #lookAtNoted(): void {
    if (this.#isStopped || !this.#store.hasRoom || isDeactivated(this.#store.reader)) {
      this.#bots.clear(); // the timer checks all of them again
      return;
    }
    // Without a free slot nothing starts until a delivery ends.
    while (this.#bots.hasNext && this.#starts < MAX_STARTS) this.#startSome(MAX_STARTS - this.#starts);
  }

  #countStarts(count: number): void {
    if (count === 0) return;
    this.#starts += count;
    this.#window ??= setTimeout(() => {
      this.#window = undefined;
      this.#starts = 0;
      this.#lookAtNoted();
    }, START_WINDOW_MS);
  }

  /** Starts the next delivery of at most this many bots. */
  #startSome(count: number): void {
    const { reader } = this.#store;
    const botIds: number[] = [];
    for (let id = this.#bots.take(); id !== undefined; id = this.#bots.take()) {
      if (outgoingBot(reader, id)?.is_paused === 0) botIds.push(id);
      else this.#bots.release(id);
      if (botIds.length === count) break;
    }
    if (botIds.length > 0) this.#startBots(botIds);
  }

  /** If the delivery of one bot cannot be read, those of the others start anyway. */
  #startBots(botIds: readonly number[]): void {
    let due: Due[];
    let payloads: (Payload | undefined)[];
    try {
      due = this.#dueOf(botIds);
      payloads = payloadsOf(this.#store.reader, due);
    } catch (error) {
      if (botIds.length > 1) for (const id of botIds) this.#startBots([id]);
      else {
        this.#bots.release(botIds[0] as number);
        this.#report(`What the bot ${botIds[0]} is to get cannot be read`, error);
      }
      return;
    }
    this.#countStarts(due.length);
    const started = new Set(due.map(({ bot }) => bot.user.id));
    for (const id of botIds) if (!started.has(id)) this.#bots.release(id);
    for (const [index, each] of due.entries()) this.#start(each, payloads[index]);
  }

  #dueOf(botIds: readonly number[]): Due[] {
    const { reader } = this.#store;
    const now = this.#now();
    return nextDeliveries(reader, botIds, now).flatMap((delivery): Due[] => {
      const bot = isDue(delivery, now) ? botById(reader, delivery.bot_id) : undefined;
      if (!bot?.service) return [];
      const { token, signing_secret: signingSecret } = openedSecrets(this.#secrets, bot);
      return [{ bot, delivery, token, signingSecret }];
    });
  }

  /** Writes the results that have arrived. The next start repeats deliveries that are in flight now. */
  async stop(): Promise<void> {
    while (this.#ended.length > 0) this.#writeEnded();
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#window);
    await this.#poster.close();
  }

  #start(due: Due, payload: Payload | undefined): void {
    const { delivery } = due;
    if (payload)
      this.#deliver(due, payload).then(
        (outcome) => this.#end({ delivery, outcome }),
        (error: unknown) => this.#giveUp(delivery, error),
      );
    else this.#end({ delivery, outcome: "nothing to deliver" });
  }

  async #deliver({ bot, delivery, token, signingSecret }: Due, payload: Payload): Promise<Ended["outcome"]> {
    const store = this.#store;
    await store.durable(); // the message might not be on disk yet
    const { base_url, chosen_by } = bot.service as BotService;
    const began = performance.now();
    const attempt: Attempt = { status: null, latency: 0, error: null, request: payload.shown, answer: null };
    // A wrong token or signature could make the receiver drop the message permanently.
    if (token === undefined || signingSecret === undefined)
      return { attempt: { ...attempt, error: UNREADABLE }, is: "to be tried again" };
    try {
      const timestamp = Math.floor(this.#now() / 1000);
      const signed = signatureHeaders(signingSecret, { id: delivery.uid, timestamp, body: payload.body });
      const content = { headers: { ...payload.headers, ...signed }, body: payload.body };
      const targets = webhookTargets(store.reader, chosen_by);
      const answer = await this.#poster.post(base_url, targets, content, bot.user.bot_owner_id ?? NO_OWNER);
      Object.assign(attempt, { status: answer.status, answer: answer.body });
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      Object.assign(attempt, { error: error.problem, latency: performance.now() - began });
      return { attempt, is: error.again ? "to be tried again" : "failed" };
    }
    attempt.latency = performance.now() - began;
    const { status } = attempt as { status: number };
    if (status < 300) return { attempt, is: "delivered" };
    attempt.error = problem("unexpected_http_status", { status });
    return { attempt, is: passes(status) ? "to be tried again" : "failed" };
  }

  /** Writes the result with others that arrive soon, or immediately if nothing else is in flight. */
  #end(ended: Ended): void {
    if (this.#isStopped) return;
    this.#ended.push(ended);
    if (this.#ended.length === this.#bots.held) this.#writeEnded();
    else this.#writing ??= setTimeout(() => this.#writeEnded(), WRITE_AFTER_MS);
  }

  /** Writes results in one transaction, at most one of each bot. */
  #writeEnded(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    const began = performance.now();
    const prepared: Prepared[] = [];
    do {
      const { delivery, outcome } = this.#ended.shift() as Ended;
      try {
        prepared.push({ delivery, change: this.#changeOf(delivery, outcome) });
      } catch (error) {
        this.#giveUp(delivery, error);
      }
    } while (this.#ended.length > 0 && performance.now() - began < WRITE_SLICE_MS);
    this.#write(prepared);
    if (this.#ended.length > 0) this.#writing = setTimeout(() => this.#writeEnded());
    setImmediate(() => this.#lookAtNoted());
  }

  /** If one result cannot be written, the others are written anyway. */
  #write(prepared: readonly Prepared[]): void {
    try {
      this.#store.transact(DELIVER, (tx) => {
        for (const { change } of prepared) change(tx);
      });
      for (const { delivery } of prepared) {
        this.#bots.release(delivery.bot_id);
        this.#add(delivery.bot_id);
      }
    } catch (error) {
      if (prepared.length > 1) for (const one of prepared) this.#write([one]);
      else for (const { delivery } of prepared) this.#giveUp(delivery, error);
    }
  }

  /** The next check, a second later, starts it again. */
  #giveUp(delivery: WebhookDelivery, error: unknown): void {
    this.#bots.release(delivery.bot_id);
    if (this.#isStopped || error instanceof StorageClosed) return;
    if (error instanceof StorageFull || error instanceof StorageFailed) return; // starts again when the log has room
    this.#report(`The delivery ${delivery.id} failed`, error);
  }

  /** Looks up and renders, for a transaction in the same iteration of the event loop. */
  #changeOf(delivery: WebhookDelivery, outcome: Ended["outcome"]): Change {
    if (outcome === "nothing to deliver") return (tx) => cancelDelivery(tx, delivery);
    const { attempt, is } = outcome;
    const bot = botById(this.#store.reader, delivery.bot_id) as Bot;
    if (is === "delivered") return this.#completionOf(bot, delivery, attempt);
    const random = Math.random();
    return (tx) => retryDelivery(tx, bot, delivery, attempt, { again: is === "to be tried again", random });
  }

  /** The response becomes the bot's message. If it is unusable, the owner is notified, and there is no retry. */
  #completionOf(bot: Bot, delivery: WebhookDelivery, attempt: Attempt): Change {
    const { reader } = this.#store;
    const read = readAnswer(attempt.answer ?? "");
    const said = read === "nothing" || "error" in read ? undefined : read;
    const unread = read !== "nothing" && "error" in read ? { ...attempt, error: read.error } : attempt;
    try {
      return completeDelivery(reader, bot, delivery, unread, said);
    } catch (error) {
      const refused = { ...attempt, error: refusalIn(error) };
      return completeDelivery(reader, bot, delivery, refused, undefined);
    }
  }
}
