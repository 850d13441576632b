import type { Thumbnailer } from "./chores/thumbnails.ts";
import type { EventQueues } from "./events/queues.ts";
import type { Backups } from "./host/backups/backups.ts";
import type { ArrivalMark } from "./host/backups/move-marks.ts";
import type { Restores } from "./host/backups/restores.ts";
import type { ApiKeys, MailKeys, NtfyTopics, WebhookSecrets, WebPushKeys } from "./host/credentials/derived-keys.ts";
import type { Passwords } from "./host/credentials/passwords.ts";
import type { SessionCodes } from "./host/credentials/session-codes.ts";
import type { TemporaryAddresses } from "./host/credentials/temporary-addresses.ts";
import type { Exports } from "./host/exports/exports.ts";
import type { Https } from "./host/https/https.ts";
import type { Imports } from "./host/imports/imports.ts";
import type { ServerLog } from "./host/logging/server-log.ts";
import type { StateFeed } from "./host/operator/state-feed.ts";
import type { RateLimiter } from "./http/rate-limits.ts";
import type { SignInThrottle } from "./http/throttle.ts";
import type { StoredFiles } from "./media/files/stored-files.ts";
import type { Images } from "./media/images/images.ts";
import type { MailSender } from "./notifications/mail/sender.ts";
import type { NtfyStreams } from "./notifications/ntfy/streams.ts";
import type { NotificationPump } from "./notifications/pump.ts";
import type { Store } from "./storage/store.ts";

/** The long-lived objects. createApp (server.ts) creates them for all endpoints. */
export interface App {
  readonly store: Store;
  readonly queues: EventQueues;
  readonly files: StoredFiles;
  readonly passwords: Passwords;
  readonly keys: ApiKeys;
  readonly webhookSecrets: WebhookSecrets;
  readonly mailKeys: MailKeys;
  readonly temporaryAddresses: TemporaryAddresses;
  readonly sessionCodes: SessionCodes;
  readonly signIns: SignInThrottle;
  /** Wrong invitation tokens, per source. Separate from sign-ins, so that old links do not block people with accounts. */
  readonly links: SignInThrottle;
  /** Attempts to join, per source. */
  readonly joins: RateLimiter;
  /** Mails with password reset links. */
  readonly resetMails: { readonly bySource: RateLimiter; readonly byAddress: RateLimiter };
  /** Mails that people send themselves, or to one invited address. */
  readonly ownMails: RateLimiter;
  /** Bytes of stored text and HTML, per user. */
  readonly storedBytes: RateLimiter;
  readonly backups: Backups;
  readonly restores: Restores;
  readonly exports: Exports;
  readonly imports: Imports;
  readonly https: Https;
  readonly images: Images;
  readonly thumbnailer: Thumbnailer;
  readonly notifications: NotificationPump;
  readonly mail: MailSender;
  readonly ntfyTopics: NtfyTopics;
  readonly ntfyStreams: NtfyStreams;
  readonly webPushKeys: WebPushKeys;
  readonly dataFolder: string;
  /** The folder from which the data was moved; undefined if it no longer exists. */
  oldFolder(): { path: string; mark: ArrivalMark } | undefined;
  /** Version of Hearth. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back, for waits and lifetimes in memory. */
  monotonic(): number;
  readonly startedAt: number;
  /** Time limit of a request that works in slices: docs/protocol.md#limits. */
  readonly maxRequestMs: number;
  readonly stateFeed: StateFeed;
  readonly log: ServerLog;
  /** Open connections, and their limits. */
  connections(): { open: number; max: number; max_of_address: number; ms_since_other_machine: number | null };
}
