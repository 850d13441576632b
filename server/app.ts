import type { Thumbnailer } from "./chores/thumbnails.ts";
import type { EventQueues } from "./events/queues.ts";
import type { Backups } from "./host/backups/backups.ts";
import type { ArrivalMark } from "./host/backups/move-marks.ts";
import type { Restores } from "./host/backups/restores.ts";
import type { ApiKeys, WebhookSecrets } from "./host/credentials/derived-keys.ts";
import type { Passwords } from "./host/credentials/passwords.ts";
import type { TemporaryAddresses } from "./host/credentials/temporary-addresses.ts";
import type { Exports } from "./host/exports/exports.ts";
import type { Https } from "./host/https/https.ts";
import type { ServerLog } from "./host/logging/server-log.ts";
import type { StateFeed } from "./host/operator/state-feed.ts";
import type { RateLimiter } from "./http/rate-limits.ts";
import type { SignInThrottle } from "./http/throttle.ts";
import type { StoredFiles } from "./media/files/stored-files.ts";
import type { Images } from "./media/images/images.ts";
import type { Store } from "./storage/store.ts";

/** What server.ts makes once and hands to every endpoint. */
export interface App {
  readonly store: Store;
  readonly queues: EventQueues;
  readonly files: StoredFiles;
  readonly passwords: Passwords;
  readonly keys: ApiKeys;
  readonly webhookSecrets: WebhookSecrets;
  readonly temporaryAddresses: TemporaryAddresses;
  readonly signIns: SignInThrottle;
  /** Wrong tokens of invitations by source; apart from sign-ins, so that old links keep nobody out who has an account. */
  readonly links: SignInThrottle;
  /** How often somebody joins from a source, or tries to. */
  readonly joins: RateLimiter;
  /** Bytes of text and HTML that each user has stored. */
  readonly storedBytes: RateLimiter;
  readonly backups: Backups;
  readonly restores: Restores;
  readonly exports: Exports;
  readonly https: Https;
  readonly images: Images;
  readonly thumbnailer: Thumbnailer;
  readonly dataFolder: string;
  /** Where the data was moved from, if that is still kept, and what it held then. */
  oldFolder(): { path: string; mark: ArrivalMark } | undefined;
  /** Hearth's own version. */
  readonly version: string;
  /** Milliseconds since the epoch; a test's own clock in tests. */
  now(): number;
  /** Milliseconds that only go on: for waits and lifetimes in memory. */
  monotonic(): number;
  readonly startedAt: number;
  /** How long a request may go on that does its work in slices: docs/protocol.md#limits. */
  readonly maxRequestMs: number;
  readonly stateFeed: StateFeed;
  readonly log: ServerLog;
  /** How many connections are open, and how many there may be. */
  connections(): { open: number; max: number; max_of_address: number; ms_since_other_machine: number | null };
}
