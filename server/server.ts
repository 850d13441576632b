import { networkInterfaces } from "node:os";
import { viewerByKey } from "./api/access/authentication.ts";
import { tokenOf } from "./api/access/bots.ts";
import { spectator } from "./api/access/public-access.ts";
import { viewerBySession } from "./api/access/sessions.ts";
import { invitedAt } from "./api/endpoints/entry.ts";
import { endpoints } from "./api/endpoints/index.ts";
import { botById } from "./api/queries/bots.ts";
import { operatorSetting, operatorSettings } from "./api/queries/operator-settings.ts";
import { hasOrganization, organizationSetting } from "./api/queries/organization.ts";
import { allUsers, answerableFor, ROLES, type User, userById } from "./api/queries/users.ts";
import type { App } from "./app.ts";
import { startChores, writePresences, writeReadChunks } from "./chores/chores.ts";
import { startScrub, startUploadScrub } from "./chores/scrub.ts";
import { Thumbnailer } from "./chores/thumbnails.ts";
import { NoOrganization } from "./errors.ts";
import { EventQueues, type QueueLimits } from "./events/queues.ts";
import { Backups } from "./host/backups/backups.ts";
import { oldFolderOf } from "./host/backups/move-marks.ts";
import { type RestoreOutcome, type RestoreRequest, Restores } from "./host/backups/restores.ts";
import { apiKeys, mailKeys, ntfyTopics, webhookSecrets, webPushKeys } from "./host/credentials/derived-keys.ts";
import { passwordHashing } from "./host/credentials/passwords.ts";
import { readSecret } from "./host/credentials/secret-key.ts";
import { SessionCodes } from "./host/credentials/session-codes.ts";
import { TemporaryAddresses } from "./host/credentials/temporary-addresses.ts";
import { Exports } from "./host/exports/exports.ts";
import { Https, type HttpsOptions } from "./host/https/https.ts";
import { addRoot } from "./host/https/root.ts";
import type { fetchFiles } from "./host/imports/fetched-files.ts";
import { Imports } from "./host/imports/imports.ts";
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
import { type Clocks, type Limits, RateLimiter, type Rule } from "./http/rate-limits.ts";
import { createHttp, type Http } from "./http/server.ts";
import { SignInThrottle } from "./http/throttle.ts";
import { Poster } from "./integrations/outgoing/post.ts";
import { WebhookPump } from "./integrations/outgoing/pump.ts";
import { type Disk, StoredFiles } from "./media/files/stored-files.ts";
import { Images, type ImagesTesting } from "./media/images/images.ts";
import { addUploadedPictures } from "./media/uploaded-pictures.ts";
import { MailSender } from "./notifications/mail/sender.ts";
import type { SmtpTesting } from "./notifications/mail/smtp.ts";
import { addNtfy } from "./notifications/ntfy/routes.ts";
import { NtfyStreams } from "./notifications/ntfy/streams.ts";
import { NotificationPump } from "./notifications/pump.ts";
import { WebPushSender } from "./notifications/web-push/sender.ts";
import { addPages, pagesFolder } from "./pages.ts";
import { startIndexing } from "./search/indexing.ts";
import type { StorageFailed } from "./storage/errors.ts";
import type { RecoveryReport } from "./storage/recovery.ts";
import { openStore, type Store, type StoreTesting } from "./storage/store.ts";
import type { Reader } from "./storage/transaction.ts";
import { overHttp } from "./trust-page.ts";
import { VERSION } from "./version.ts";

const MAX_REQUEST_MS = 50_000;
/** Per source. Each attempt hashes a password, and reveals whether an email address is taken. */
const JOINS: readonly Rule[] = [[3600, 60]];
/** Reset mails. Both count requests for unknown addresses too. */
const RESETS_BY_SOURCE: readonly Rule[] = [[3600, 20]];
const RESETS_BY_ADDRESS: readonly Rule[] = [
  [3600, 3],
  [86_400, 10],
];
const OWN_MAILS: readonly Rule[] = [[3600, 5]];
/** Mails about messages, per person: a short batching period must not use up the operator's account. */
const MAILS_BY_PERSON: readonly Rule[] = [[3600, 30]];
/** All mails. More wait. */
const MAILS: readonly Rule[] = [[3600, 1000]];
/** Pictures drawn for people without one, per source. Cached pictures do not count. */
const DRAWINGS: readonly Rule[] = [[60, 1000]];
/** Requests of phones, per person. A stream is one request. */
const NTFY_REQUESTS: readonly Rule[] = [[60, 100]];
/** Links have no names, so only the source counts. */
const linkLimits = ({ authenticate_by_ip }: Limits): Limits => ({
  ...(authenticate_by_ip && { authenticate_by_ip }),
  authenticate_by_username: [],
});

export interface ServerOptions {
  /** Contains an organization, created by `initialize`. */
  dataFolder: string;
  /** The supervisor's lock on the data folder. */
  lockId?: string;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** 0: any free port. Default 9400. */
  port?: number;
  /** "off" disables request limits and sign-in throttles, for load tests. */
  rateLimit?: "on" | "off";
  /** The operator's credential for this start. */
  operatorToken?: string;
  /** Milliseconds since the epoch, for times that are stored or shown. Jumps when someone sets the clock. */
  now?: () => number;
  /** Milliseconds that never go back, for waits and lifetimes in memory. Default: `now` where a test sets it. */
  monotonic?: () => number;
  logger?: Logger;
  /** Storage has failed: the thread must end and start again from disk. */
  onFailure?: (error: StorageFailed) => void;
  /** Stops this server, restores a backup and starts again. */
  onRestore?: (request: RestoreRequest) => void;
  /** Result of the newest restore. */
  lastRestore?: RestoreOutcome | undefined;
  testing?: ServerTesting | undefined;
}

/** Options for tests only. */
export interface ServerTesting extends StoreTesting {
  /** scrypt's N. A low value makes hashing fast. */
  passwordCost?: number;
  /** Checks each response against the endpoint's declaration. */
  checkResponses?: boolean;
  queueLimits?: Partial<QueueLimits>;
  /** Time limit of a request that works in slices. */
  maxRequestMs?: number;
  /** Time limit of an outgoing webhook's receiver. */
  webhookTimeoutMs?: number;
  /** The disk of uploads/. */
  disk?: Partial<Disk>;
  /** An export or an import fails if the disk has less free space. Bytes. */
  leavesFree?: number;
  /** Replaces the requests to Slack. */
  fetchFiles?: typeof fetchFiles;
  /** Time limits of the images' thread. */
  images?: ImagesTesting;
  /** false: never announces the server on the network. */
  mdns?: boolean;
  /** Interval of the events that keep streams to phones open. */
  ntfyKeepAliveMs?: number;
  /** The machine's names, and how often they are checked. */
  https?: Partial<Pick<HttpsOptions, "machine" | "check">>;
  /** The certificate authority and the time limit of the mail server. */
  smtp?: SmtpTesting;
}

export interface RunningServer {
  readonly url: string;
  readonly app: App;
  /** The actions that recovery took, in sentences; empty after a clean stop. */
  readonly notices: readonly string[];
  /** Runs the chores that are due, for tests with a fake clock. */
  runChores(): void;
  /** The computer woke up: checks the network and certificates immediately. */
  wake(): void;
  /** Responds to held polls, lets current requests finish, and ends with everything on disk. */
  close(): Promise<void>;
}

/** Opens the data, creates the app and listens. Throws errors for users. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, now = Date.now, operatorToken } = options;
  const secret = readSecret(dataFolder); // before anything touches the data: no one can sign in without the secret
  const log = new ServerLog(dataFolder, { now, secrets: operatorToken ? [operatorToken] : [] });
  let store: Store | undefined;
  try {
    store = await openData(options, log);
    if (!hasOrganization(store.reader)) throw new NoOrganization(dataFolder); // an interrupted `init`
    operatorSettings(store.reader); // throws here, not in a request, if an environment variable is invalid
    const { app, http } = await createApp(options, { store, log, secret });
    await app.exports.start();
    await app.imports.start();
    return await listen(app, http, options);
  } catch (error) {
    await store?.close().catch(() => {});
    const problem = store ? "The server could not start" : "The data could not be opened";
    if (!(error instanceof NoOrganization)) log.fatal(problem, error);
    await log.close();
    throw error;
  }
}

function openData(
  { dataFolder, lockId, now = Date.now, onFailure, logger, testing = {} }: ServerOptions,
  log: ServerLog,
): Promise<Store> {
  return openStore({
    folder: dataFolder,
    lockId,
    now,
    onFailure: (error) => {
      log.fatal("Storage has failed; the thread ends", error);
      onFailure?.(error);
    },
    onCheckpointFailure: (error) => (logger ?? log).error("The checkpoint could not be made; the log goes on", error),
    testing,
  });
}

const reportTo = (logger: Logger) => (message: string, error: unknown) => logger.error(message, error);

interface Foundation {
  store: Store;
  log: ServerLog;
  secret: Buffer;
}

/** Creates the long-lived objects and the routes, and starts nothing. */
export async function createApp(
  options: ServerOptions,
  { store, log, secret }: Foundation,
): Promise<{ app: App; http: Http }> {
  const { dataFolder, now = Date.now, testing = {} } = options;
  const { reader } = store;
  const monotonic = options.monotonic ?? options.now ?? (() => performance.now());
  const report = reportTo(options.logger ?? log);
  log.level = () => operatorSetting(reader, "LOG_LEVEL");
  const keys = apiKeys(secret);
  const secrets = webhookSecrets(secret);
  const queues = new EventQueues(store, monotonic, testing.queueLimits, report, {
    keyOf: (userId) => keys.keyOf(userById(reader, userId) as User),
    tokenOf: (botId) => tokenOf(secrets, botById(reader, botId)),
  });
  const disk = testing.disk;
  const files = new StoredFiles(dataFolder, () => store.durable(), { activity: () => http.requests, disk });
  const shared = { store, files, dataFolder, now, monotonic, version: VERSION, report };
  const startedAt = now();
  const backups = new Backups({ ...shared, passphraseCost: testing.passwordCost });
  const stateFeed = new StateFeed({ ...shared, queues, backups, startedAt });
  const https = await Https.start({
    dataFolder,
    setting: () => operatorSetting(reader, "HTTPS"),
    now,
    report: (line) => log.warn(line),
    ...testing.https,
  });
  stateFeed.https = () => https.state.use;
  const images = new Images(testing.images);
  const mailing = mailKeys(secret);
  const notifications = new NotificationPump(shared);
  const topics = ntfyTopics(secret);
  const app: App = {
    store,
    files,
    dataFolder,
    now,
    monotonic,
    version: VERSION,
    ...limitersOf(options, reader, { now, monotonic }),
    queues,
    keys,
    webhookSecrets: secrets,
    mailKeys: mailing,
    temporaryAddresses: new TemporaryAddresses(monotonic),
    sessionCodes: new SessionCodes(monotonic),
    passwords: passwordHashing(testing.passwordCost === undefined ? {} : { cost: testing.passwordCost }),
    backups,
    restores: new Restores({ ...shared, backups, ask: options.onRestore, last: options.lastRestore ?? null }),
    exports: new Exports({ ...shared, minFreeBytes: testing.leavesFree }),
    imports: new Imports({
      ...shared,
      images,
      fetchFiles: testing.fetchFiles,
      minFreeBytes: testing.leavesFree,
    }),
    https,
    images,
    notifications,
    mail: new MailSender({
      ...shared,
      keys,
      mailKeys: mailing,
      ownUrl: () => stateFeed.ownUrl,
      limits: {
        all: new RateLimiter(() => MAILS, { now, monotonic }),
        person: new RateLimiter(() => MAILS_BY_PERSON, { now, monotonic }),
      },
      testing: testing.smtp,
    }),
    ntfyTopics: topics,
    ntfyStreams: new NtfyStreams({
      ...shared,
      notifications,
      messagePrefix: topics.messagePrefix,
      keepAliveMs: testing.ntfyKeepAliveMs,
    }),
    webPushKeys: webPushKeys(secret),
    thumbnailer: new Thumbnailer({ ...shared, images }),
    oldFolder: () => oldFolderOf(dataFolder),
    startedAt,
    maxRequestMs: testing.maxRequestMs ?? MAX_REQUEST_MS,
    stateFeed,
    log,
    connections: () => http.connections,
  };
  const http = createRoutes(app, options);
  return { app, http };
}

function limitersOf(
  { rateLimit = "on" }: ServerOptions,
  reader: Reader,
  clocks: Clocks,
): Pick<App, "signIns" | "links" | "joins" | "resetMails" | "ownMails" | "storedBytes"> {
  const on = () => rateLimit === "on";
  const limits = () => operatorSetting(reader, "RATE_LIMITS");
  return {
    signIns: new SignInThrottle({ limits, clocks, on }),
    links: new SignInThrottle({ limits: () => linkLimits(limits()), accountLimit: [], clocks, on }),
    joins: new RateLimiter(() => (on() ? JOINS : []), clocks),
    resetMails: {
      bySource: new RateLimiter(() => (on() ? RESETS_BY_SOURCE : []), clocks),
      byAddress: new RateLimiter(() => (on() ? RESETS_BY_ADDRESS : []), clocks),
    },
    ownMails: new RateLimiter(() => (on() ? OWN_MAILS : []), clocks),
    storedBytes: new RateLimiter(() => (on() ? limits().stored_bytes_by_user : []), clocks),
  };
}

function createRoutes(app: App, options: ServerOptions): Http {
  const { store, files, https, keys, log, now, monotonic } = app;
  const { reader } = store;
  const { rateLimit = "on", testing = {} } = options;
  const clocks = { now, monotonic };
  const http = createHttp({
    endpoints,
    store,
    app,
    identify: (email, key) => viewerByKey(reader, keys, email, key),
    identifySession: (token) => viewerBySession(reader, token, now()),
    spectator: () => spectator(reader),
    answerableFor: (id) => answerableFor(reader, id),
    operatorToken: options.operatorToken,
    operatorActsAs: () => firstOwner(reader),
    files,
    logger: options.logger ?? log,
    limits: rateLimit === "on" ? () => operatorSetting(reader, "RATE_LIMITS") : undefined,
    encryption: https,
    overHttp: overHttp(https),
    allowedHosts: () => operatorSetting(reader, "ALLOWED_HOSTS"),
    trustedProxies: () => operatorSetting(reader, "TRUSTED_PROXIES"),
    checkResponses: testing.checkResponses,
    version: VERSION,
    clocks,
  });
  const drawings = new RateLimiter(() => (rateLimit === "on" ? DRAWINGS : []), clocks);
  addPages(http.fastify, pagesFolder, invitedAt(app), (source) => void drawings.count(source));
  addRoot(http.fastify, https);
  http.webSockets = addNtfy(http.fastify, {
    reader,
    streams: app.ntfyStreams,
    topics: app.ntfyTopics,
    now,
    wrongTopics: new SignInThrottle({
      limits: () => linkLimits(operatorSetting(reader, "RATE_LIMITS")),
      accountLimit: [],
      clocks,
      on: () => rateLimit === "on",
    }),
    requests: new RateLimiter(() => (rateLimit === "on" ? NTFY_REQUESTS : []), clocks),
  });
  addUploadedPictures(http.fastify, { store, files });
  return http;
}

const firstOwner = (reader: Reader): User | undefined =>
  allUsers(reader).find(({ role, is_active, is_bot }) => role === ROLES.owner && is_active && !is_bot);

/** Opens the port and the control socket, announces the server, and starts the work that no request waits for. */
export async function listen(app: App, http: Http, options: ServerOptions): Promise<RunningServer> {
  const { store, log, https, queues } = app;
  const listening = await listenOn(http, listeningAt(options));
  app.stateFeed.listening = listening;
  if (process.platform !== "win32") await openControlSocket(app, http, listening);
  const mdns = announce(app, listening, options.testing?.mdns !== false);
  const work = startWork(app, options);
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
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(listening),
    app,
    notices,
    runChores: work.chores.run,
    wake() {
      queues.resume();
      mdns.refresh();
      https.refresh();
    },
    close: () => (closed ??= close(app, http, { ...work, mdns, logger: options.logger ?? log })),
  };
}

async function openControlSocket({ dataFolder, log }: App, http: Http, listening: Listening): Promise<void> {
  const { host } = new URL(localUrl(listening) ?? urlOf(listening));
  await http.listenInFolder(dataFolder, host).catch(({ message }: Error) => {
    log.info("The data folder takes no socket, so commands reach this server by its port only", { why: message });
  });
}

function announce({ store, https, stateFeed, log }: App, listening: Listening, isAllowed: boolean): Mdns {
  return new Mdns({
    wanted: () => (isAllowed ? announcementOf(store.reader, { ...listening, https: https.isOn }) : undefined),
    onHostname: (hostname) => {
      https.moreNames = hostname === undefined ? [] : [hostname];
      stateFeed.hostname = hostname;
    },
    report: (line) => log.info(line),
  });
}

function startWork(app: App, { logger = app.log, testing = {} }: ServerOptions) {
  const { store, queues, files, now, monotonic } = app;
  const report = reportTo(logger);
  const poster = new Poster(networkInterfaces, testing.webhookTimeoutMs);
  const work = {
    webhooks: new WebhookPump({ store, poster, secrets: app.webhookSecrets, now, report }),
    webPush: new WebPushSender({
      store,
      poster: new Poster(networkInterfaces, testing.webhookTimeoutMs),
      notifications: app.notifications,
      keys: app.webPushKeys,
      now,
      monotonic,
      report,
      warn: (line) => app.log.warn(line),
    }),
    chores: startChores({
      store,
      queues,
      files,
      announceNotifications: () => app.notifications.announce(),
      now,
      monotonic,
      report,
    }),
    indexing: startIndexing({ store, report }),
    scrub: startScrub({ store, report }),
    uploadScrub: startUploadScrub({ store, files, report }),
  };
  app.mail.start();
  app.thumbnailer.wake(); // for pictures that the last run left unfinished
  app.backups.start();
  void store.readAhead();
  return work;
}

async function close(
  app: App,
  http: Http,
  work: ReturnType<typeof startWork> & { mdns: Mdns; logger: Logger },
): Promise<void> {
  const { store, log } = app;
  log.info("The server stops");
  log.files.stopWaiting();
  work.chores.stop();
  app.files.stop();
  work.indexing.stop();
  http.closing();
  app.ntfyStreams.stop();
  await work.scrub.stop();
  await work.uploadScrub.stop();
  await app.backups.stop();
  await app.exports.stop();
  await app.imports.stop();
  await work.webhooks.stop();
  await work.webPush.stop();
  app.notifications.stop();
  await app.mail.stop();
  app.queues.stop();
  app.stateFeed.stop();
  app.https.stop();
  const silent = work.mdns.stop();
  await app.images.close();
  await app.thumbnailer.stop();
  await http.close();
  await silent;
  saveOnExit(store, work.logger);
  await store.close();
  await log.close();
}

function saveOnExit(store: Store, logger: Logger): void {
  try {
    if (store.hasRoom) writePresences(store);
    while (store.hasRoom && writeReadChunks(store));
  } catch (error) {
    logger.error("Who is here, and what is read, could not be written down", error);
  }
}

/** Undefined if other machines cannot connect, or the operator has turned mDNS off. */
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
