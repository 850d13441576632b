import { networkInterfaces } from "node:os";
import { viewerByKey } from "./api/access/authentication.ts";
import { spectator } from "./api/access/public-access.ts";
import { viewerBySession } from "./api/access/sessions.ts";
import { tokenOf } from "./api/access/webhook-secrets.ts";
import { invitedAt } from "./api/endpoints/entry.ts";
import { endpoints } from "./api/endpoints/index.ts";
import { botById } from "./api/queries/bots.ts";
import { operatorSetting, operatorSettings } from "./api/queries/operator-settings.ts";
import { hasOrganization, organizationSetting } from "./api/queries/organization.ts";
import { allUsers, answerableFor, ROLES, type User, userById } from "./api/queries/users.ts";
import type { App } from "./app.ts";
import { startChores, writePresences, writeReadChunks } from "./chores/chores.ts";
import { startScrub } from "./chores/scrub.ts";
import { Thumbnailer } from "./chores/thumbnails.ts";
import { startUploadScrub } from "./chores/upload-scrub.ts";
import { NoOrganization } from "./errors.ts";
import { EventQueues, type QueueLimits } from "./events/queues.ts";
import { Backups } from "./host/backups/backups.ts";
import { oldFolderOf } from "./host/backups/move-marks.ts";
import { type RestoreOutcome, type RestoreRequest, Restores } from "./host/backups/restores.ts";
import { apiKeys } from "./host/credentials/api-keys.ts";
import { passwordHashing } from "./host/credentials/passwords.ts";
import { readSecret } from "./host/credentials/secret-key.ts";
import { TemporaryAddresses } from "./host/credentials/temporary-addresses.ts";
import { webhookSecrets } from "./host/credentials/webhook-secrets.ts";
import { Exports } from "./host/exports/exports.ts";
import { Https, type HttpsOptions } from "./host/https/https.ts";
import { addRoot } from "./host/https/root-file.ts";
import { ROOT_PATH } from "./host/https/root-path.ts";
import { ServerLog } from "./host/logging/server-log.ts";
import { type Announcement, Mdns } from "./host/mdns/mdns.ts";
import { StateFeed } from "./host/operator/state-feed.ts";
import {
  isLoopback,
  type Listening,
  listeningAt,
  listenOn,
  localUrl,
  reachableUrls,
  urlOf,
} from "./host/supervisor/listening.ts";
import type { Logger } from "./http/options.ts";
import { type Limits, RateLimiter, type Rule } from "./http/rate-limits.ts";
import { createHttp } from "./http/server.ts";
import { SignInThrottle } from "./http/throttle.ts";
import { Poster } from "./integrations/outgoing/post.ts";
import { WebhookPump } from "./integrations/outgoing/pump.ts";
import { type Disk, StoredFiles } from "./media/files/stored-files.ts";
import { Images, type ImagesTesting } from "./media/images/images.ts";
import { addUploadedPictures } from "./media/uploaded-pictures.ts";
import { addPages, pagesFolder } from "./pages.ts";
import { startIndexing } from "./search/indexing.ts";
import type { StorageFailed } from "./storage/errors.ts";
import type { RecoveryReport } from "./storage/recovery.ts";
import { openStore, type StoreTesting } from "./storage/store.ts";
import type { Reader } from "./storage/transaction.ts";
import { VERSION } from "./version.ts";

const MAX_REQUEST_MS = 50_000;
/** From one address: each takes a password's worth of computing, and tells whether an email address is taken. */
const JOINS: readonly Rule[] = [[3600, 60]];
/** Of pictures of people, from one address; those asked for lately are not drawn again, and count for nothing. */
const DRAWINGS: readonly Rule[] = [[60, 1000]];
/** Links have no names, so that only their address counts. */
const linkLimits = ({ authenticate_by_ip }: Limits): Limits => ({
  ...(authenticate_by_ip && { authenticate_by_ip }),
  authenticate_by_username: [],
});

export interface ServerOptions {
  /** Holds an organization, made by `initialize`. */
  dataFolder: string;
  /** The lock that the supervisor holds on it. */
  lockId?: string;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** 0: any free one. Default 9400. */
  port?: number;
  /** "off" lifts request limits and sign-in throttles, for load tests. */
  rateLimit?: "on" | "off";
  /** The host's credential of this start. */
  operatorToken?: string;
  /** Milliseconds since the epoch: for what is stored and shown. It goes back and ahead when the clock is set. */
  now?: () => number;
  /** Milliseconds that only go on: for waits and lifetimes in memory. Default: `now` where a test sets it. */
  monotonic?: () => number;
  logger?: Logger;
  /** Storage cannot go on: the thread is to end and to start again from disk. */
  onFailure?: (error: StorageFailed) => void;
  /** Stops this server, restores a backup and starts again. */
  onRestore?: (request: RestoreRequest) => void;
  /** How the newest restore ended. */
  lastRestore?: RestoreOutcome | undefined;
  testing?: ServerTesting | undefined;
}

/** What tests change in a server, beside its store. */
export interface ServerTesting extends StoreTesting {
  /** scrypt's N; a low one makes passwords cheap. */
  passwordCost?: number;
  /** Checks each response against the endpoint's declaration. */
  checkResponses?: boolean;
  queueLimits?: Partial<QueueLimits>;
  /** How long a request may run that does its work in slices. */
  maxRequestMs?: number;
  /** How long an outgoing webhook's receiver may take. */
  webhookTimeoutMs?: number;
  /** The disk of uploads/. */
  disk?: Partial<Disk>;
  /** With less room on the disk an export fails; bytes. */
  exportLeavesFree?: number;
  /** How long a picture may take, and how long the images' thread waits for the next. */
  images?: ImagesTesting;
  /** Whether the server may announce itself in the network. */
  mdns?: boolean;
  /** The machine's names, and how often they are looked at. */
  https?: Partial<Pick<HttpsOptions, "machine" | "check">>;
}

export interface RunningServer {
  readonly url: string;
  readonly app: App;
  /** What recovery had to do, in sentences; empty after a clean stop. */
  readonly notices: readonly string[];
  /** Does timed work that is due; for tests with their own clock. */
  runChores(): void;
  /** The computer is awake again: what depends on its network is looked at without waiting. */
  wake(): void;
  /** Answers held polls, lets requests under way finish, and ends with everything on disk. */
  close(): Promise<void>;
}

/** The one place that creates things and hands them round. Throws what storage and the network throw, in words. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, now = Date.now, rateLimit = "on", testing = {} } = options;
  const monotonic = options.monotonic ?? options.now ?? (() => performance.now());
  const clocks = { now, monotonic };
  const secret = readSecret(dataFolder); // before the data is touched: without it nobody could sign in
  const log = new ServerLog(dataFolder, { now, secrets: options.operatorToken ? [options.operatorToken] : [] });
  const logger: Logger = options.logger ?? log;
  const report = (message: string, error: unknown) => logger.error(message, error);
  const opening = openStore({
    folder: dataFolder,
    lockId: options.lockId,
    now,
    onFailure: (error) => {
      log.fatal("Storage has failed; the thread ends", error);
      options.onFailure?.(error);
    },
    onCheckpointFailure: (error) => logger.error("The checkpoint could not be made; the log goes on", error),
    testing,
  });
  const store = await opening.catch(async (error: unknown) => {
    if (!(error instanceof NoOrganization)) log.fatal("The data could not be opened", error);
    await log.close();
    throw error;
  });
  try {
    const { reader } = store;
    if (!hasOrganization(reader)) throw new NoOrganization(dataFolder); // an `init` that was cut short
    operatorSettings(reader); // an environment variable that cannot be read is an error now, not at a request
    log.level = () => operatorSetting(reader, "LOG_LEVEL");
    const keys = apiKeys(secret);
    const sealed = webhookSecrets(secret);
    const queues = new EventQueues(store, monotonic, testing.queueLimits, report, {
      keyOf: (userId) => keys.keyOf(userById(reader, userId) as User),
      tokenOf: (botId) => tokenOf(sealed, botById(reader, botId)),
    });
    const limits = () => operatorSetting(reader, "RATE_LIMITS");
    const startedAt = now();
    const files = new StoredFiles(dataFolder, () => store.durable(), {
      activity: () => http.requests,
      disk: testing.disk,
    });
    const backups = new Backups({
      store,
      files,
      dataFolder,
      now,
      monotonic,
      version: VERSION,
      passphraseCost: testing.passwordCost,
      report,
    });
    const restores = new Restores({
      store,
      backups,
      dataFolder,
      ask: options.onRestore,
      last: options.lastRestore ?? null,
    });
    const exports = new Exports({
      store,
      files,
      dataFolder,
      version: VERSION,
      report,
      minFreeBytes: testing.exportLeavesFree,
    });
    await exports.start();
    const stateFeed = new StateFeed({ store, queues, backups, dataFolder, now, version: VERSION, startedAt });
    const https = new Https({
      dataFolder,
      setting: () => operatorSetting(reader, "HTTPS"),
      now,
      report: (line) => log.warn(line),
      ...testing.https,
    });
    stateFeed.isHttps = () => https.isOn;
    const images = new Images(testing.images);
    const thumbnailer = new Thumbnailer({ store, files, images, report });
    const app: App = {
      store,
      queues,
      files,
      keys,
      webhookSecrets: sealed,
      temporaryAddresses: new TemporaryAddresses(monotonic),
      passwords: passwordHashing(testing.passwordCost === undefined ? {} : { cost: testing.passwordCost }),
      signIns: new SignInThrottle({ limits, clocks, on: () => rateLimit === "on" }),
      links: new SignInThrottle({
        limits: () => linkLimits(limits()),
        accountLimit: [],
        clocks,
        on: () => rateLimit === "on",
      }),
      joins: new RateLimiter(() => (rateLimit === "on" ? JOINS : []), clocks),
      storedBytes: new RateLimiter(() => (rateLimit === "on" ? limits().stored_bytes_by_user : []), clocks),
      backups,
      restores,
      exports,
      https,
      images,
      thumbnailer,
      dataFolder,
      oldFolder: () => oldFolderOf(dataFolder),
      version: VERSION,
      now,
      monotonic,
      startedAt,
      maxRequestMs: testing.maxRequestMs ?? MAX_REQUEST_MS,
      stateFeed,
      log,
      connections: () => http.connections,
    };
    const firstOwner = () =>
      allUsers(reader).find((user) => user.role === ROLES.owner && user.is_active && !user.is_bot);
    const http = createHttp({
      endpoints,
      store,
      app,
      identify: (email, key) => viewerByKey(reader, keys, email, key),
      identifySession: (token) => viewerBySession(reader, token, now()),
      spectator: () => spectator(reader),
      answerableFor: (id) => answerableFor(reader, id),
      operatorToken: options.operatorToken,
      operatorActsAs: firstOwner,
      files,
      logger,
      limits: rateLimit === "on" ? limits : undefined,
      encryption: https,
      rootPath: ROOT_PATH,
      allowedHosts: () => operatorSetting(reader, "ALLOWED_HOSTS"),
      trustedProxies: () => operatorSetting(reader, "TRUSTED_PROXIES"),
      checkResponses: testing.checkResponses,
      version: VERSION,
      clocks,
    });
    const drawings = new RateLimiter(() => (rateLimit === "on" ? DRAWINGS : []), clocks);
    addPages(http.fastify, pagesFolder, invitedAt(app), (source) => void drawings.count(source));
    addRoot(http.fastify, https);
    addUploadedPictures(http.fastify, { store, files });
    const listening = await listenOn(http, listeningAt(options));
    stateFeed.listening = listening;
    if (process.platform !== "win32")
      await http
        .listenInFolder(dataFolder, new URL(localUrl(listening) ?? urlOf(listening)).host)
        .catch(({ message }: Error) => {
          log.info("The data folder takes no socket, so commands reach this server by its port only", { why: message });
        });
    const mdns = new Mdns({
      wanted: () => (testing.mdns === false ? undefined : announcementOf(reader, { ...listening, https: https.isOn })),
      onHostname: (hostname) => {
        https.moreNames = hostname === undefined ? [] : [hostname];
        stateFeed.hostname = hostname;
      },
      report: (line) => log.info(line),
    });
    const poster = new Poster(networkInterfaces, testing.webhookTimeoutMs);
    const webhooks = new WebhookPump({ store, poster, secrets: sealed, now, report });
    thumbnailer.wake(); // for what the last run left
    const chores = startChores({ store, queues, files, now, monotonic, report });
    const indexing = startIndexing({ store, report });
    const scrub = startScrub({ store, report });
    const uploadScrub = startUploadScrub({ store, files, report });
    backups.start();
    void store.readAhead();
    let closed: Promise<void> | undefined;
    const notices = noticesOf(store.report);
    log.info("The server has started", {
      version: VERSION,
      node: process.version,
      electron: process.versions["electron"] ?? null,
      platform: `${process.platform} ${process.arch}`,
      host: listening.host,
      port: listening.port,
    });
    for (const notice of notices) log.warn(notice);
    const close = async () => {
      log.info("The server stops");
      log.files.stopWaiting();
      chores.stop();
      files.stop();
      indexing.stop();
      http.closing();
      await scrub.stop();
      await uploadScrub.stop();
      await backups.stop();
      await exports.stop();
      await webhooks.stop();
      queues.stop();
      stateFeed.stop();
      https.stop();
      const silent = mdns.stop();
      await images.close();
      await thumbnailer.stop();
      await http.close();
      await silent;
      try {
        if (store.hasRoom) writePresences(store);
        while (store.hasRoom && writeReadChunks(store));
      } catch (error) {
        logger.error("Who is here, and what is read, could not be written down", error);
      }
      await store.close();
      await log.close();
    };
    return {
      url: urlOf(listening),
      app,
      notices,
      runChores: chores.run,
      wake() {
        queues.resume();
        mdns.refresh();
        https.refresh();
      },
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await store.close().catch(() => {});
    if (!(error instanceof NoOrganization)) log.fatal("The server could not start", error);
    await log.close();
    throw error;
  }
}

/** What the network is told of a server that is open to it; undefined where nobody else could connect, or is to know. */
function announcementOf(reader: Reader, listening: Listening): Announcement | undefined {
  const isWanted = !isLoopback(listening.host) && operatorSetting(reader, "MDNS");
  const reachable = isWanted ? reachableUrls(listening) : [];
  if (reachable.length === 0) return undefined;
  return {
    name: organizationSetting(reader, "name").slice(0, 60),
    hostname: "hearth",
    servicePort: listening.port,
    interfaces: [...new Set(reachable.map(({ interface: name }) => name))].sort(),
    addresses: reachable.map(({ url }) => url).sort(),
    https: listening.https ?? false,
  };
}

function noticesOf(report: RecoveryReport): string[] {
  const notices: string[] = [];
  if (report.torn) {
    notices.push(
      `${report.torn.file}: a write cut short at byte ${report.torn.offset} was removed. Nobody had been told that it was kept.`,
    );
  }
  if (report.strayBytes !== undefined) {
    notices.push(
      `${report.strayBytes}: this part of the log was never used, but it was not empty. Nothing is lost, and Hearth fills it with zeros again. Check the disk, which changed it.`,
    );
  }
  return notices;
}
