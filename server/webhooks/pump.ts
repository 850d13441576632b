import { webhookTargets } from "../access/webhook-addresses.ts";
import {
  type Attempt,
  cancelDelivery,
  completeDelivery,
  refusalIn,
  retryDelivery,
} from "../actions/webhook-deliveries.ts";
import { type Bot, botById } from "../queries/bots.ts";
import { isDeactivated } from "../queries/organization.ts";
import { nextDelivery, type OutgoingBot, outgoingBots, type WebhookDelivery } from "../queries/webhook-deliveries.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";
import { readAnswer } from "./answer.ts";
import { payloadOf } from "./payload.ts";
import { type Poster, PostFailed } from "./post.ts";
import { signatureHeaders } from "./signature.ts";

/** However often it is woken, deliveries that became due by themselves are looked for this often. */
const LOOK_MS = 1000;
/** Deliveries under way at once, over all bots. */
const MAX_UNDER_WAY = 64;
const DELIVER = { actor: null, action: "deliver to webhook" };

/** Statuses that may pass by themselves; other refusals stay what they are. */
const passes = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429;

/**
 * Takes due deliveries out of the outbox: one at a time for each bot, in the order of their messages, so that one that
 * fails holds up the later ones of its bot and nobody else's.
 */
export class WebhookPump {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #now: () => number;
  readonly #report: (message: string, error: unknown) => void;
  readonly #busy = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  #isWoken = false;
  #isStopped = false;

  constructor(options: {
    store: Store;
    poster: Poster;
    now: () => number;
    report: (message: string, error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#poster = options.poster;
    this.#now = options.now;
    this.#report = options.report;
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    // Events are published when their records are on disk: what is delivered is never taken back.
    this.#store.onPublish((events) => {
      if (events.some(({ event }) => event.type === "message" || event.type === "webhook_delivery")) this.wake();
    });
  }

  /** Looks for due deliveries soon; many calls at once are one look. */
  wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.look();
    });
  }

  /** Starts what is due. */
  look(): void {
    if (this.#isStopped || !this.#store.hasRoom || isDeactivated(this.#store.reader)) return;
    for (const bot of outgoingBots(this.#store.reader)) this.#lookAt(bot);
  }

  #lookAt({ id, is_paused }: OutgoingBot): void {
    if (is_paused === 1 || this.#busy.has(id) || this.#busy.size >= MAX_UNDER_WAY) return;
    const delivery = nextDelivery(this.#store.reader, id);
    if (delivery && delivery.due_at <= this.#now()) this.#start(id, delivery);
  }

  /** Nothing more is started or written; what is under way is tried again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#poster.close();
  }

  #start(botId: number, delivery: WebhookDelivery): void {
    this.#busy.add(botId);
    let isStuck = false;
    this.#deliver(botId, delivery)
      .catch((error: unknown) => {
        isStuck = true; // the next look tries again, a second later
        if (this.#isStopped || error instanceof StorageClosed) return;
        if (error instanceof StorageFull || error instanceof StorageFailed) return; // again when there is room
        this.#report(`The delivery ${delivery.id} failed`, error);
      })
      .finally(() => {
        const wasFull = this.#busy.size >= MAX_UNDER_WAY;
        this.#busy.delete(botId);
        if (wasFull) return this.wake(); // others wait for the place
        if (!isStuck) setImmediate(() => this.#goOn(botId));
      });
  }

  #goOn(botId: number): void {
    if (this.#isStopped || !this.#store.hasRoom) return;
    const bot = outgoingBots(this.#store.reader).find(({ id }) => id === botId);
    if (bot) this.#lookAt(bot);
  }

  async #deliver(botId: number, delivery: WebhookDelivery): Promise<void> {
    const store = this.#store;
    const bot = botById(store.reader, botId);
    const payload = bot && payloadOf(store.reader, bot, delivery);
    if (!bot?.service) return;
    if (!payload) return store.transact(DELIVER, (tx) => cancelDelivery(tx, bot, delivery));
    await store.durable(); // it may be the newest message, read before it was on disk
    const { service } = bot;
    const began = performance.now();
    const attempt: Attempt = { status: null, latency: 0, error: null, request: payload.shown, answer: null };
    try {
      const timestamp = Math.floor(this.#now() / 1000);
      const signed = signatureHeaders(service.secret, { id: delivery.uid, timestamp, body: payload.body });
      const answer = await this.#poster.post(service.base_url, webhookTargets(store.reader, service.chosen_by), {
        headers: { ...payload.headers, ...signed },
        body: payload.body,
      });
      Object.assign(attempt, { status: answer.status, answer: answer.body });
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      Object.assign(attempt, { error: error.message, latency: performance.now() - began });
      return this.#retry(delivery, attempt, error.again);
    }
    attempt.latency = performance.now() - began;
    const { status } = attempt as { status: number };
    if (status >= 300) {
      attempt.error = `It answered with the HTTP status ${status}.`;
      return this.#retry(delivery, attempt, passes(status));
    }
    this.#complete(delivery, attempt);
  }

  #retry(delivery: WebhookDelivery, attempt: Attempt, again: boolean): void {
    if (this.#isStopped) return;
    const bot = botById(this.#store.reader, delivery.bot_id) as Bot;
    const random = Math.random();
    this.#store.transact(DELIVER, (tx) => retryDelivery(tx, bot, delivery, attempt, { again, random }));
  }

  /** The answer becomes the bot's message; one that cannot be used is told to the owner, and is not asked for again. */
  #complete(delivery: WebhookDelivery, attempt: Attempt): void {
    if (this.#isStopped) return;
    const { reader } = this.#store;
    const bot = botById(reader, delivery.bot_id) as Bot;
    const read = readAnswer(attempt.answer ?? "");
    const said = read === "nothing" || "error" in read ? undefined : read;
    const unread = read !== "nothing" && "error" in read ? { ...attempt, error: read.error } : attempt;
    let change: ReturnType<typeof completeDelivery>;
    try {
      change = completeDelivery(reader, bot, delivery, unread, said);
    } catch (error) {
      const refused = { ...attempt, error: refusalIn(error) };
      change = completeDelivery(reader, bot, delivery, refused, undefined);
    }
    this.#store.transact(DELIVER, change);
  }
}
