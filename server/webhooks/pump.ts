import { webhookTargets } from "../access/webhook-addresses.ts";
import {
  type Attempt,
  cancelDelivery,
  completeDelivery,
  refusalIn,
  retryDelivery,
} from "../actions/webhook-deliveries.ts";
import type { WireWebhookDelivery } from "../presenters/webhook-deliveries.ts";
import { type Bot, botById } from "../queries/bots.ts";
import { isDeactivated } from "../queries/organization.ts";
import {
  botsOfNewDeliveries,
  newestDeliveryId,
  nextDelivery,
  outgoingBot,
  outgoingBots,
  type WebhookDelivery,
} from "../queries/webhook-deliveries.ts";
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
/** Started each second, over all bots: a receiver that comes back to a long queue slows down nobody who chats. */
const MAX_PER_SECOND = 320;
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
  /** Bots that may have something due, in the order in which they get their turn. */
  readonly #toLookAt = new Set<number>();
  /** Deliveries up to this id were looked at when they were new. */
  #seen: number;
  #pause: NodeJS.Timeout | undefined;
  #starts = MAX_PER_SECOND / 10;
  #startsAsOf = performance.now();
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
    this.#seen = newestDeliveryId(this.#store.reader);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    // Events are published when their records are on disk: what is delivered is never taken back.
    this.#store.onPublish((events) => {
      if (outgoingBots(this.#store.reader).length === 0) return;
      for (const { event } of events) {
        if (event.type === "message") this.#wake();
        else if (event.type === "webhook_delivery") this.#noteQueued(event.delivery as WireWebhookDelivery);
      }
    });
  }

  /** A test, or a replay. What the pump itself writes of a delivery needs no look. */
  #noteQueued({ bot_id, state, attempts }: WireWebhookDelivery): void {
    if (state !== "waiting" || attempts > 0) return;
    this.#toLookAt.add(bot_id);
    this.#wake();
  }

  /** Starts what is new soon; many calls at once are one look. */
  #wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      if (this.#isStopped) return;
      const { botIds, newest } = botsOfNewDeliveries(this.#store.reader, this.#seen);
      this.#seen = newest;
      for (const id of botIds) this.#toLookAt.add(id);
      this.#lookAtNoted();
    });
  }

  /** Starts what is due, whenever it was queued. */
  look(): void {
    for (const { id } of outgoingBots(this.#store.reader)) this.#toLookAt.add(id);
    this.#lookAtNoted();
  }

  #lookAtNoted(): void {
    if (this.#isStopped || !this.#store.hasRoom || isDeactivated(this.#store.reader)) {
      this.#toLookAt.clear(); // the timer looks at all of them again
      return;
    }
    for (const id of this.#toLookAt) {
      if (this.#busy.size >= MAX_UNDER_WAY || !this.#mayStart()) return;
      this.#toLookAt.delete(id);
      this.#lookAt(id);
    }
  }

  #lookAt(id: number): void {
    if (this.#busy.has(id)) return; // it goes on by itself
    const bot = outgoingBot(this.#store.reader, id);
    if (!bot || bot.is_paused === 1) return;
    const delivery = nextDelivery(this.#store.reader, id);
    if (!delivery || delivery.due_at > this.#now()) return;
    this.#starts -= 1;
    this.#start(id, delivery);
  }

  /** Whether this second has a start left; if not, the next one is waited for. */
  #mayStart(): boolean {
    const now = performance.now();
    const added = ((now - this.#startsAsOf) * MAX_PER_SECOND) / 1000;
    this.#starts = Math.min(MAX_PER_SECOND / 10, this.#starts + added);
    this.#startsAsOf = now;
    if (this.#starts >= 1) return true;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#lookAtNoted();
    }, 10);
    return false;
  }

  /** Nothing more is started or written; what is under way is tried again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#pause);
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
        this.#busy.delete(botId);
        if (this.#isStopped) return;
        if (!isStuck) this.#toLookAt.add(botId);
        setImmediate(() => this.#lookAtNoted());
      });
  }

  async #deliver(botId: number, delivery: WebhookDelivery): Promise<void> {
    const store = this.#store;
    const bot = botById(store.reader, botId);
    const payload = bot && payloadOf(store.reader, bot, delivery);
    if (!bot?.service) return;
    if (!payload) return store.transact(DELIVER, (tx) => cancelDelivery(tx, delivery));
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
