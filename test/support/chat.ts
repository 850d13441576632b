import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Dispatcher, request } from "undici";
import { createChannel } from "../../server/api/actions/channels.ts";
import { subscribe } from "../../server/api/actions/subscriptions.ts";
import { createUser, type NewUser } from "../../server/api/actions/users.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { initialize } from "../../server/host/first-run/init.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../server/server.ts";
import { openStore } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { applyEvent } from "../../ui/api/state.ts";
import type { State, WireEvent } from "../../ui/api/state-shape.ts";
import { watchDerivedReads } from "./derived-reads.ts";
import { imageThreads } from "./image-threads.ts";
import { IS_LONG_RUN } from "./long-run.ts";
import { PUBLIC_CHANNEL } from "./new-channel.ts";
import { assertOnWire } from "./wire-check.ts";

watchDerivedReads();

/** The people of every test chat. Only the owner has a password. */
const PEOPLE: Record<string, Partial<NewUser>> = {
  iago: { role: 200 },
  hamlet: {},
  othello: {},
  cordelia: {},
  polonius: { role: 600 },
  bot: { is_bot: true, bot_type: 1 },
};
/** An owner, a member, a guest, a bot, and a member who has no subscriptions by default. */
const WATCHED = ["desdemona", "hamlet", "polonius", "bot", "cordelia"];

export type Params = Record<string, unknown>;
export type Body = Record<string, any> & { status: number; result: string; msg: string };

/** Calls the API as one user. Each call returns the JSON response with its HTTP status. */
export interface Caller {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  get(path: string, params?: Params): Promise<Body>;
  post(path: string, params?: Params): Promise<Body>;
  patch(path: string, params?: Params): Promise<Body>;
  put(path: string, params?: Params): Promise<Body>;
  delete(path: string, params?: Params): Promise<Body>;
}

export interface Registered {
  readonly queueId: string;
  readonly state: Required<State> & Record<string, any>;
  /** The events since the last call, without waiting. Acknowledges them. */
  events(): Promise<(WireEvent & Record<string, any>)[]>;
}

export interface Chat {
  readonly url: string;
  readonly server: RunningServer;
  readonly folder: string;
  readonly ids: Record<string, number>;
  /** Close the pages that show this chat. They run before the server stops, as pages retry when it does not respond. */
  readonly closePages: (() => Promise<void>)[];
  as(name: string): Caller;
  anonymous(method: string, path: string, params?: Params, headers?: Record<string, string>): Promise<Body>;
  register(name: string, params?: Params): Promise<Registered>;
  user(name: string): User;
  /** Restarts the server with the same folder, clock and port. */
  restart(): Promise<void>;
  /** Runs all due chores. A slow machine needs several slices. Resolves when their changes are on disk. */
  runChores(): Promise<void>;
  /** Checks for each watched user that a new /register equals the earlier one with the events applied. */
  checkEvents(): Promise<void>;
}

interface ChannelSetup {
  name: string;
  private?: boolean;
  subscribers?: string[];
}

export interface ChatOptions extends Partial<Omit<ServerOptions, "dataFolder">> {
  channels?: ChannelSetup[];
  users?: Record<string, Partial<NewUser>>;
  /** Creates data that must exist before anyone registers, such as groups and settings. */
  prepare?: (tx: Transaction, ids: Record<string, number>) => void;
  /** Whether clients have the capability for archived channels by default. */
  archivedChannels?: boolean;
  /** Skips the check of events against the state at the end. */
  unwatched?: boolean;
  /** Checks all five people, as `npm run test:long` does everywhere. Otherwise the owner and one other are checked. */
  watchAll?: boolean;
}

/** The initial data of the server. */
interface Setup {
  people: Record<string, Partial<NewUser>>;
  prepare: ChatOptions["prepare"];
  channels: readonly ChannelSetup[];
  now: ChatOptions["now"];
}

/** An eighth of the default, since each test copies and reads the log. One change may fill a quarter of it. */
const SEGMENT_SIZE = 2 << 20;

/** Folders that tests copy, by contents. Each is created once. */
const templates = new Map<string, Promise<string>>();
let templatesFolder: string | undefined;

function template(what: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  let made = templates.get(what);
  if (!made) {
    if (!templatesFolder) {
      const folder = mkdtempSync(join(tmpdir(), "hearth-templates-"));
      process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
      templatesFolder = folder;
    }
    const folder = mkdtempSync(join(templatesFolder, "template-"));
    made = make(folder).then(() => folder);
    templates.set(what, made);
  }
  return made;
}

/** The first state of people in chats of the same setup, as JSON, with the URL that it contains. */
const firstStates = new Map<string, { url: string; json: string }>();

/** The owner and one of the others, who depends on the test's name, so that each is watched by many tests. */
function watchedIn({ name }: TestContext): string[] {
  const [owner, ...others] = WATCHED as [string, ...string[]];
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) as number), 0);
  return [owner, others[sum % others.length] as string];
}

/** The organization and its owner. */
const organization = () =>
  template("organization", (folder) =>
    initialize({
      folder,
      organization: "Venice",
      ownerEmail: "desdemona@example.com",
      ownerName: "Desdemona",
      password: "secret-desdemona",
      testing: { passwordCost: 1024, segmentSize: SEGMENT_SIZE },
    }),
  );

/** A copy with the people and channels. Setups with a function or a custom clock are not cached. */
async function chatFolder(setup: Setup): Promise<string> {
  const { people, channels, prepare, now } = setup;
  const make = async (folder: string) => {
    cpSync(await organization(), folder, { recursive: true });
    await furnish(folder, setup);
  };
  const folder = mkdtempSync(join(tmpdir(), "hearth-chat-"));
  if (prepare || (now && channels.length > 0)) await make(folder);
  else cpSync(await template(JSON.stringify({ people, channels }), make), folder, { recursive: true });
  return folder;
}

export async function startChat(
  t: TestContext,
  {
    channels = [],
    users = {},
    prepare,
    archivedChannels = false,
    unwatched = false,
    watchAll = IS_LONG_RUN,
    testing,
    ...options
  }: ChatOptions = {},
): Promise<Chat> {
  const people = { ...PEOPLE, ...users };
  const folder = await chatFolder({ people, prepare, channels, now: options.now });
  const open = (port: number) =>
    startServer({
      rateLimit: "off",
      ...options,
      testing: {
        passwordCost: 1024,
        checkResponses: true,
        segmentSize: SEGMENT_SIZE,
        mdns: false,
        images: { threads: imageThreads },
        ...testing,
      },
      dataFolder: folder,
      port,
    });
  let server = await open(0);
  const watched = new Map<string, Registered>();
  const end = async () => {
    for (const close of chat.closePages) await close();
    try {
      await chat.checkEvents();
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  t.after(releasing(end));

  const ids: Record<string, number> = {};
  for (const name of ["desdemona", ...Object.keys(people)]) {
    const id = server.app.store.reader.value<number>("SELECT id FROM users WHERE email_key = ?", emailOf(name));
    ids[name] = id as number;
  }
  const callers = new Map<string, Caller>();
  const chat: Chat = {
    get url() {
      return server.url;
    },
    get server() {
      return server;
    },
    folder,
    ids,
    closePages: [],
    as(name) {
      let caller = callers.get(name);
      if (!caller) {
        caller = callerFor(chat, chat.user(name));
        callers.set(name, caller);
      }
      return caller;
    },
    anonymous: (method, path, params, headers) => send(chat.url, method, path, params, headers),
    async register(name, params = {}) {
      const caller = chat.as(name);
      const answer = await caller.post("/register", {
        client_capabilities: {
          empty_topic_name: true,
          user_settings_object: true,
          notification_settings_null: true,
          linkifier_url_template: true,
          bulk_message_deletion: true,
          archived_channels: archivedChannels,
        },
        apply_markdown: true,
        ...params,
      });
      assert.equal(answer.result, "success", answer.msg);
      const { status: _status, result: _result, msg: _msg, ...state } = answer;
      let last = state["last_event_id"] as number;
      return {
        queueId: state["queue_id"] as string,
        state: state as Registered["state"],
        async events() {
          const got = await caller.get("/events", {
            queue_id: state["queue_id"],
            last_event_id: last,
            dont_block: true,
          });
          assert.equal(got.result, "success", got.msg);
          last = got["events"].at(-1)?.id ?? last;
          return got["events"];
        },
      };
    },
    user: (name) => userById(server.app.store.reader, ids[name] ?? 0) as User,
    async restart() {
      const { port } = new URL(server.url);
      await server.close();
      server = await open(Number(port));
    },
    async runChores() {
      const { store } = server.app;
      for (let before = -1; store.seq > before; ) {
        before = store.seq;
        server.runChores();
      }
      await store.durable();
    },
    checkEvents: async () => {
      for (const [name, before] of watched) {
        // A chore may change something at any moment, so only events up to the fresh state are applied.
        const fresh = await chat.register(name, { include_subscribers: "true" });
        const until = fresh.state["last_event_id"] as number;
        let state: State = before.state;
        for (const event of await before.events()) if (event.id <= until) state = applyEvent(state, event);
        assert.deepEqual(comparable(state), comparable(fresh.state), `the state of ${name} after the events`);
        watched.set(name, fresh);
      }
    },
  };
  for (const { name } of channels) {
    ids[name] = server.app.store.reader.value<number>("SELECT id FROM channels WHERE name = ?", name) as number;
  }
  if (!unwatched) {
    // Other options may change the state.
    const isPlain = !prepare && !testing && Object.keys(options).length === 0;
    const setup = isPlain ? JSON.stringify({ people, channels, archivedChannels }) : undefined;
    for (const name of watchAll ? WATCHED : watchedIn(t)) watched.set(name, await registerFirst(chat, name, setup));
  }
  return chat;
}

/** Registers a user at the start. The state of a known setup is not fetched again. */
async function registerFirst(chat: Chat, name: string, setup: string | undefined): Promise<Registered> {
  const key = setup && `${name} ${setup}`;
  const known = key ? firstStates.get(key) : undefined;
  if (!known) {
    const registered = await chat.register(name, { include_subscribers: "true" });
    if (key) firstStates.set(key, { url: chat.url, json: JSON.stringify(registered.state) });
    return registered;
  }
  const registered = await chat.register(name, { include_subscribers: "true", fetch_event_types: [] });
  const state = JSON.parse(known.json.replaceAll(known.url, chat.url)) as Registered["state"];
  return { ...registered, state: { ...state, ...registered.state } };
}

/**
 * node:test keeps hooks as long as the process lives. This one releases the server and the database after it has run.
 */
function releasing(hook: () => Promise<void>): () => Promise<void> {
  let held: typeof hook | undefined = hook;
  return () => {
    const run = held;
    held = undefined;
    return run?.() ?? Promise.resolve();
  };
}

const emailOf = (name: string) => `${name}@example.com`;

/** Creates people and the owner's channels, without the system message of a channel created over HTTP. */
async function furnish(folder: string, { people, prepare, channels, now = Date.now }: Setup): Promise<void> {
  let clock = Date.now;
  const store = await openStore({ folder, now: () => clock(), testing: { segmentSize: SEGMENT_SIZE } });
  const made: Record<string, number> = { desdemona: 1 };
  store.transact({ actor: null, action: "test" }, (tx) => {
    const owner = userById(tx, 1) as User;
    for (const [name, more] of Object.entries(people)) {
      const user = createUser(tx, owner, {
        email: emailOf(name),
        full_name: name.charAt(0).toUpperCase() + name.slice(1),
        password_hash: null,
        ...(more.is_bot && { bot_owner_id: made["hamlet"] ?? owner.id }),
        ...more,
      });
      made[name] = user.id;
    }
    prepare?.(tx, made);
  });
  clock = now;
  store.transact({ actor: null, action: "test" }, (tx) => {
    const owner = userById(tx, 1) as User;
    for (const { name, private: invite_only = false, subscribers = [] } of channels) {
      const channel = createChannel(tx, owner, {
        name,
        ...PUBLIC_CHANNEL,
        invite_only,
      });
      const names = subscribers.length > 0 ? subscribers : ["desdemona"];
      const users = names.map((who) => userById(tx, made[who] as number) as User);
      subscribe(tx, { users, channels: [channel] });
    }
  });
  await store.close();
}

function callerFor(chat: Chat, user: User): Caller {
  const key = chat.server.app.keys.keyOf(user);
  const authorization = `Basic ${Buffer.from(`${user.email}:${key}`).toString("base64")}`;
  const call = (method: string) => (path: string, params?: Params) =>
    send(chat.url, method, path, params, { authorization });
  return {
    id: user.id,
    email: user.email,
    key,
    get: call("GET"),
    post: call("POST"),
    patch: call("PATCH"),
    put: call("PUT"),
    delete: call("DELETE"),
  };
}

async function send(
  url: string,
  method: string,
  path: string,
  params: Params = {},
  headers: Record<string, string> = {},
): Promise<Body> {
  // Compressing and decompressing long responses takes longer than sending them uncompressed.
  const sent = { "accept-encoding": "identity", "user-agent": "node", "hearth-error-reason": "1", ...headers };
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) fields.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const address = `${url}${path.startsWith("/host/") ? "" : "/api/v1"}${path}`;
  // fetch's streams would take a tenth of these tests' CPU time.
  const { statusCode, body } =
    method === "GET"
      ? await request(fields.size > 0 ? `${address}?${fields}` : address, { headers: sent })
      : await request(address, {
          method: method as Dispatcher.HttpMethod,
          headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8", ...sent },
          body: fields.toString(),
        });
  const answer = (await body.json()) as object;
  if (statusCode === 200 && !path.startsWith("/host/")) assertOnWire(method, path, answer);
  return { ...answer, status: statusCode } as Body;
}

/** The state in a canonical order, without fields that depend on the registration or the clock. */
function comparable(state: Record<string, any>): Record<string, unknown> {
  const {
    queue_id: _queue,
    last_event_id: _event,
    server_timestamp: _time,
    presence_last_update_id: _update,
    ...rest
  } = state;
  const by =
    (...keys: string[]) =>
    (a: any, b: any) => {
      for (const key of keys) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
      return 0;
    };
  const channels = (list: any[] = []) =>
    list.map(({ stream_weekly_traffic: _traffic, ...channel }) => channel).sort(by("stream_id"));
  const sorted: Record<string, unknown> = { ...rest };
  for (const list of ["subscriptions", "unsubscribed", "never_subscribed", "streams"])
    sorted[list] = channels(rest[list]);
  for (const list of ["realm_users", "realm_non_active_users", "cross_realm_bots"]) {
    sorted[list] = [...(rest[list] ?? [])].sort(by("user_id"));
  }
  for (const list of ["user_topics", "muted_topics"]) {
    if (rest[list]) sorted[list] = [...rest[list]].sort(by("stream_id", "topic_name", "0", "1"));
  }
  if (rest["unread_msgs"]) {
    const { streams, pms, huddles, ...more } = rest["unread_msgs"];
    sorted["unread_msgs"] = {
      ...more,
      streams: [...streams].sort(by("stream_id", "topic")),
      pms: [...pms].sort(by("other_user_id")),
      huddles: [...huddles].sort(by("user_ids_string")),
    };
  }
  return sorted;
}
