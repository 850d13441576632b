import { createHmac } from "node:crypto";
import { pushServiceTargets } from "../../api/access/web-push.ts";
import { NOTIFICATION_KEPT_MS } from "../../api/actions/notifications.ts";
import { recordWebPush, type WebPushOutcome } from "../../api/actions/web-push.ts";
import { notificationFor, type ShownNotification } from "../../api/presenters/notifications.ts";
import { lastNotificationId, type NotificationRow, notificationsAfter } from "../../api/queries/notifications.ts";
import { operatorSetting } from "../../api/queries/operator-settings.ts";
import { isDeactivated } from "../../api/queries/organization.ts";
import { userById } from "../../api/queries/users.ts";
import {
  newestCleared,
  type WebPushDevice,
  webPushDevice,
  webPushDevicesWithNews,
} from "../../api/queries/web-push.ts";
import type { WebPushKeys } from "../../host/credentials/derived-keys.ts";
import { OwnerTurns } from "../../integrations/outgoing/owner-turns.ts";
import { mayPass, type Posted, type Poster, PostFailed, retryAfterMs } from "../../integrations/outgoing/post.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../../storage/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { NotificationPump } from "../pump.ts";
import { MAX_CLEARED, payloadOf } from "./payload.ts";

/** Interval of checks for retries and for changes of the setting. */
const LOOK_MS = 1000;
/** Combines new notifications that arrive within this time. */
const GATHER_MS = 20;
/** Pushes in flight, over all devices. People take turns, and one person has at most half of them. */
const MAX_UNDER_WAY = 16;
/** Batches the results that arrive within this time into one transaction. */
const WRITE_AFTER_MS = 20;
/** Rows that a search for the next notification reads. Most rows have a text. */
const MAX_READ = 20;
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const SEND = { actor: null, action: "send web push" };

/** Loaded with the first push. */
let loaded: Promise<typeof import("@block65/webcrypto-web-push")> | undefined;

interface Retry {
  failures: number;
  /** On the monotonic clock. */
  at: number;
}

interface Next {
  row: NotificationRow;
  shown: ShownNotification;
}

/** The result of a push, from the response of the push service. */
type Result = { is: "sent" } | { is: "gone" } | { is: "refused" | "again"; failure: number; pauseMs?: number };

/**
 * Sends notifications to the push services of browsers: one at a time for each browser, in order. A browser's position
 * is saved after each, so a restart repeats at most the push in flight. Retries continue until the notification is
 * deleted, after three days.
 */
export class WebPushSender {
  readonly #store: Store;
  readonly #poster: Poster;
  readonly #keys: WebPushKeys;
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #report: (message: string, error: unknown) => void;
  readonly #warn: (line: string) => void;
  readonly #devices = new OwnerTurns<number>(MAX_UNDER_WAY);
  readonly #retries = new Map<number, Retry>();
  readonly #ended: WebPushOutcome[] = [];
  /** Refusals in the log, by push service and status. */
  readonly #logged = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #gathering: NodeJS.Timeout | undefined;
  #writing: NodeJS.Timeout | undefined;
  #seen = "";
  #isStopped = false;

  constructor(options: {
    store: Store;
    poster: Poster;
    notifications: NotificationPump;
    keys: WebPushKeys;
    now: () => number;
    monotonic: () => number;
    report: (message: string, error: unknown) => void;
    warn: (line: string) => void;
  }) {
    this.#store = options.store;
    this.#poster = options.poster;
    this.#keys = options.keys;
    this.#now = options.now;
    this.#monotonic = options.monotonic;
    this.#report = options.report;
    this.#warn = options.warn;
    this.#unsubscribe = options.notifications.onNew(() => {
      this.#gathering ??= setTimeout(() => this.#look(), GATHER_MS);
    });
    this.#timer = setInterval(() => this.#tick(), LOOK_MS);
    this.#tick();
  }

  /** Writes the results that have arrived. The next start repeats the pushes that are in flight now. */
  async stop(): Promise<void> {
    this.#writeEnded();
    this.#isStopped = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    clearTimeout(this.#gathering);
    clearTimeout(this.#writing);
    await this.#poster.close();
  }

  #isOn(): boolean {
    const { reader } = this.#store;
    return !this.#isStopped && this.#store.hasRoom && operatorSetting(reader, "WEB_PUSH") && !isDeactivated(reader);
  }

  #tick(): void {
    const isOn = this.#isOn();
    const seen = `${isOn} ${lastNotificationId(this.#store.reader)}`;
    const now = this.#monotonic();
    if (seen !== this.#seen || [...this.#retries.values()].some(({ at }) => at <= now)) this.#look();
    this.#seen = seen;
  }

  /** Starts a push to each device with news. */
  #look(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#isOn()) {
      const devices = webPushDevicesWithNews(this.#store.reader, this.#keys.publicKey);
      const ids = new Set(devices.map(({ id }) => id));
      for (const id of this.#retries.keys()) if (!ids.has(id)) this.#retries.delete(id);
      for (const { id, user_id } of devices) this.#add(id, user_id);
    }
    this.#goOn();
  }

  #add(id: number, userId: number): void {
    if ((this.#retries.get(id)?.at ?? Number.NEGATIVE_INFINITY) <= this.#monotonic()) this.#devices.add(userId, id);
  }

  #goOn(): void {
    if (!this.#isOn()) this.#devices.clear();
    for (let id = this.#devices.take(); id !== undefined; id = this.#devices.take()) this.#start(id);
  }

  #start(id: number): void {
    const { reader } = this.#store;
    const device = webPushDevice(reader, id);
    if (!device) {
      this.#devices.release(id);
      return;
    }
    try {
      const next = nextFor(reader, device);
      if (typeof next === "object") void this.#send(device, next);
      else if (next > device.sent_id) this.#end({ id, sentId: next, failure: device.failure, isGone: false });
      else this.#devices.release(id);
    } catch (error) {
      this.#report(`The notifications of the browser ${id} cannot be read`, error);
      this.#endLater(device, { failure: device.failure });
    }
  }

  async #send(device: WebPushDevice, next: Next): Promise<void> {
    const { id } = device;
    try {
      const result = await this.#push(device, next);
      if (this.#isStopped) return;
      if (result.is === "again") this.#endLater(device, result);
      else {
        const failure = result.is === "refused" ? result.failure : null;
        this.#retries.delete(id);
        this.#end({ id, sentId: next.row.id, failure, isGone: result.is === "gone" });
      }
    } catch (error) {
      if (this.#isStopped) return;
      this.#report(`The push to the browser ${id} failed`, error);
      this.#endLater(device, { failure: device.failure });
    }
    this.#goOn();
  }

  async #push(device: WebPushDevice, { row, shown }: Next): Promise<Result> {
    await this.#store.durable(); // the notification might not be on disk yet
    const { reader } = this.#store;
    const payload = payloadOf(shown, {
      messageId: row.message_id,
      clear: newestCleared(reader, device.user_id, MAX_CLEARED),
    });
    const ttl = Math.ceil((row.created_at + NOTIFICATION_KEPT_MS - this.#now()) / 1000);
    const topic = topicFor(device, shown.conversation);
    loaded ??= import("@block65/webcrypto-web-push");
    const { headers, body } = await (await loaded).buildPushPayload(
      {
        data: JSON.stringify(payload),
        options: { ttl: Math.max(60, ttl), urgency: shown.isPersonal ? "high" : "normal", topic },
      },
      { endpoint: device.endpoint, expirationTime: null, keys: { p256dh: device.p256dh, auth: device.auth } },
      { ...this.#keys, subject: contactFor(device) },
    );
    try {
      const posted = await this.#poster.post(
        device.endpoint,
        pushServiceTargets(reader),
        { headers, body },
        device.user_id,
      );
      return this.#resultOf(device, posted);
    } catch (error) {
      if (!(error instanceof PostFailed)) throw error;
      this.#log(device, error.message);
      return { is: "again", failure: 0 };
    }
  }

  #resultOf(device: WebPushDevice, { status, retryAfter }: Posted): Result {
    if (status >= 200 && status < 300) return { is: "sent" };
    if (status === 404 || status === 410) return { is: "gone" };
    this.#log(device, `HTTP status ${status}`);
    if (!mayPass(status)) return { is: "refused", failure: status };
    return {
      is: "again",
      failure: status,
      pauseMs: Math.min(retryAfterMs(retryAfter, this.#now()), MAX_RETRY_AFTER_MS),
    };
  }

  /** Each problem of a push service once. The URL is a secret of the browser, so only its host is logged. */
  #log({ endpoint }: WebPushDevice, why: string): void {
    const line = `The push service ${new URL(endpoint).host} has not taken a notification: ${why}`;
    if (this.#logged.has(line)) return;
    this.#logged.add(line);
    this.#warn(line);
  }

  /** The notification is sent again after a pause, which grows. */
  #endLater({ id, failure: before }: WebPushDevice, { failure, pauseMs = 0 }: FailedAttempt): void {
    const failures = (this.#retries.get(id)?.failures ?? 0) + 1;
    const pause = Math.min(MIN_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
    this.#retries.set(id, { failures, at: this.#monotonic() + Math.max(pause, pauseMs) });
    if (failure === before) this.#devices.release(id);
    else this.#end({ id, sentId: undefined, failure, isGone: false });
  }

  /** Writes the result with others that arrive soon. */
  #end(outcome: WebPushOutcome): void {
    this.#ended.push(outcome);
    this.#writing ??= setTimeout(() => this.#writeEnded(), WRITE_AFTER_MS);
  }

  #writeEnded(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (this.#ended.length === 0) return;
    try {
      this.#store.transact(SEND, (tx) => recordWebPush(tx, this.#ended));
    } catch (error) {
      if (error instanceof StorageFailed || error instanceof StorageClosed) return;
      if (!(error instanceof StorageFull)) this.#report("Positions of browsers could not be saved", error);
      // The devices wait, so that nothing is sent twice.
      this.#writing = setTimeout(() => this.#writeEnded(), LOOK_MS);
      return;
    }
    for (const { id, isGone } of this.#ended.splice(0)) {
      this.#devices.release(id);
      const device = isGone ? undefined : webPushDevice(this.#store.reader, id);
      if (device) this.#add(id, device.user_id);
    }
    this.#goOn();
  }
}

interface FailedAttempt {
  failure: number | null;
  pauseMs?: number;
}

/** The next notification for the device. Otherwise the id up to which there is none; 0 if nothing is new. */
function nextFor(reader: Reader, device: WebPushDevice): Next | number {
  const user = userById(reader, device.user_id);
  if (!user?.is_active) return 0;
  const query = { userId: user.id, device: "web_push", after: device.sent_id, limit: MAX_READ } as const;
  const rows = notificationsAfter(reader, query);
  for (const row of rows) {
    const shown = row.kind === "clear" ? undefined : notificationFor(reader, user, row);
    if (shown) return { row, shown };
  }
  return rows.at(-1)?.id ?? 0;
}

const TOPIC_LENGTH = 32;

/**
 * The push service keeps only the newest undelivered notification of a topic. The name depends on the browser's secret,
 * so that the service learns nothing about the conversation, not even that two browsers have the same.
 */
const topicFor = ({ auth }: WebPushDevice, conversation: string): string =>
  createHmac("sha256", auth).update(conversation).digest("base64url").slice(0, TOPIC_LENGTH);

/**
 * Push services can refuse a server without a contact. The server's own URL is a contact that reveals no person; the
 * browser subscribed from it. Some services accept https only.
 */
const contactFor = ({ origin }: WebPushDevice): string => origin.replace(/^http:/, "https:");
