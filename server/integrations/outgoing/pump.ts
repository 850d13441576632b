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
import { StorageClosed, StorageFailed, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { readAnswer } from "./answer.ts";
import { NO_OWNER, OwnerTurns } from "./owner-turns.ts";
import { type Payload, payloadsOf } from "./payload.ts";
import { type Poster, PostFailed } from "./post.ts";
import { signatureHeaders } from "./signature.ts";

/** However often it is woken, deliveries that became due by themselves are looked for this often. */
const LOOK_MS = 1000;
/** Deliveries under way at once, over all bots. Owners take turns, and one owner has half of them at most. */
const MAX_UNDER_WAY = 64;
/** Started each second, over all bots: a receiver that comes back to a long queue slows down nobody who chats. */
const MAX_PER_SECOND = 320;
/** Those that have to wait for it start together: each time has its price. */
const START_EVERY_MS = 50;
/** What comes of several deliveries within this time is written together: each transaction has its price. */
export const WRITE_AFTER_MS = 5;
/** Answers are read and rendered for so long before what they change is written, and others are served. */
const WRITE_SLICE_MS = 5;
const DELIVER = { actor: null, action: "deliver to webhook" };

/** What is to be posted. */
interface Due {
  bot: Bot;
  delivery: WebhookDelivery;
  /** Undefined if it cannot be read, as the signing secret. */
  token: string | undefined;
  signingSecret: string | undefined;
}

const UNREADABLE =
  "Its token or its signing secret cannot be read, because the server's secret key was replaced. Replace both on the bot's page.";

/** What came of a delivery, to be written. */
interface Ended {
  delivery: WebhookDelivery;
  outcome: { attempt: Attempt; is: "delivered" | "failed" | "to be tried again" } | "nothing to deliver";
}

type Change = (tx: Transaction) => void;

interface Prepared {
  delivery: WebhookDelivery;
  change: Change;
}

/** Statuses that may pass by themselves; other refusals stay what they are. */
const passes = (status: number): boolean => status >= 500 || status === 408 || status === 425 || status === 429;

/**
 * Takes due deliveries out of the outbox: one at a time for each bot, in the order of their messages, so that one that
 * fails holds up the later ones of its bot and nobody else's. A test is about no message: it holds up none, and waits
 * for none but the one under way.
 */
export class WebhookPump {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #secrets: App["webhookSecrets"];
  readonly #now: () => number;
  readonly #report: (message: string, error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Bots that may have something due wait here for a slot, which they hold while a delivery is under way. */
  readonly #bots = new OwnerTurns<number>(MAX_UNDER_WAY);
  #pause: NodeJS.Timeout | undefined;
  readonly #ended: Ended[] = [];
  #writing: NodeJS.Timeout | undefined;
  #starts = MAX_PER_SECOND / 10;
  #startsAsOf = performance.now();
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
    // Events are published when their records are on disk: what is delivered is never taken back.
    this.#store.onPublish((events) => {
      for (const { event } of events) {
        if (event.type === "webhook_delivery") this.#noteQueued(event.delivery as WireWebhookDelivery);
        else if (event.type === "webhook_settings") this.#note(event.bot_id as number); // it may go on after a pause
      }
    });
  }

  /** What is to be tried later needs no look yet. Of a bot that nobody manages, the timer finds what is due. */
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

  /** Starts what is new soon; many calls at once are one look. */
  #wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#lookAtNoted();
    });
  }

  /** Starts what is due, whenever it was queued. */
  look(): void {
    for (const { id } of outgoingBots(this.#store.reader)) this.#add(id);
    this.#lookAtNoted();
  }

  #lookAtNoted(): void {
    if (this.#isStopped || !this.#store.hasRoom || isDeactivated(this.#store.reader)) {
      this.#bots.clear(); // the timer looks at all of them again
      return;
    }
    if (this.#pause) return; // they start together
    // Without a free slot nothing starts until a delivery ends.
    while (this.#bots.hasNext) {
      const starts = this.#startsLeft();
      if (starts > 0) this.#startSome(starts);
      else {
        this.#pause = setTimeout(() => {
          this.#pause = undefined;
          this.#lookAtNoted();
        }, START_EVERY_MS);
        return;
      }
    }
  }

  /** Starts what is due for the next bots, at most for this many. */
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

  /** If the delivery of one bot cannot be read, the others still get theirs. */
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
    this.#starts -= due.length;
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

  /** How many deliveries may start now; what this second has left is added to by the clock. */
  #startsLeft(): number {
    const now = performance.now();
    const added = ((now - this.#startsAsOf) * MAX_PER_SECOND) / 1000;
    this.#starts = Math.min(MAX_PER_SECOND / 10, this.#starts + added);
    this.#startsAsOf = now;
    return Math.floor(this.#starts);
  }

  /** Nothing more is started. What came is written; what is under way is tried again after the next start. */
  async stop(): Promise<void> {
    while (this.#ended.length > 0) this.#writeEnded();
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#pause);
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
    await store.durable(); // it may be the newest message, read before it was on disk
    const { base_url, chosen_by } = bot.service as BotService;
    const began = performance.now();
    const attempt: Attempt = { status: null, latency: 0, error: null, request: payload.shown, answer: null };
    // A wrong token or signature could make the receiver drop the message for good.
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
      Object.assign(attempt, { error: error.message, latency: performance.now() - began });
      return { attempt, is: error.again ? "to be tried again" : "failed" };
    }
    attempt.latency = performance.now() - began;
    const { status } = attempt as { status: number };
    if (status < 300) return { attempt, is: "delivered" };
    attempt.error = `It answered with the HTTP status ${status}.`;
    return { attempt, is: passes(status) ? "to be tried again" : "failed" };
  }

  /** Has it written with what else comes within a few milliseconds: at once where nothing else is under way. */
  #end(ended: Ended): void {
    if (this.#isStopped) return;
    this.#ended.push(ended);
    if (this.#ended.length === this.#bots.held) this.#writeEnded();
    else this.#writing ??= setTimeout(() => this.#writeEnded(), WRITE_AFTER_MS);
  }

  /** Several bots' deliveries in one transaction; of each bot there is one at most. */
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

  /** Where one cannot be written, the others are nevertheless. */
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

  /** The next look starts it again, a second later. */
  #giveUp(delivery: WebhookDelivery, error: unknown): void {
    this.#bots.release(delivery.bot_id);
    if (this.#isStopped || error instanceof StorageClosed) return;
    if (error instanceof StorageFull || error instanceof StorageFailed) return; // again when there is room
    this.#report(`The delivery ${delivery.id} failed`, error);
  }

  /** Looks up and renders, for a transaction in the same turn. */
  #changeOf(delivery: WebhookDelivery, outcome: Ended["outcome"]): Change {
    if (outcome === "nothing to deliver") return (tx) => cancelDelivery(tx, delivery);
    const { attempt, is } = outcome;
    const bot = botById(this.#store.reader, delivery.bot_id) as Bot;
    if (is === "delivered") return this.#completionOf(bot, delivery, attempt);
    const random = Math.random();
    return (tx) => retryDelivery(tx, bot, delivery, attempt, { again: is === "to be tried again", random });
  }

  /** The answer becomes the bot's message; one that cannot be used is told to the owner, and is not asked for again. */
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
