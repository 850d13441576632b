import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { viewerByKey } from "../../server/api/access/authentication.ts";
import { createOrganization } from "../../server/api/actions/organization.ts";
import { createUser, type NewUser } from "../../server/api/actions/users.ts";
import { operatorSetting } from "../../server/api/queries/operator-settings.ts";
import type { User } from "../../server/api/queries/users.ts";
import { type ApiKeys, apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { type Passwords, passwordHashing } from "../../server/host/credentials/passwords.ts";
import type { AnyEndpoint } from "../../server/http/endpoint.ts";
import { createHttp } from "../../server/http/server.ts";
import { SignInThrottle } from "../../server/http/throttle.ts";
import { addPages } from "../../server/pages.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { endBeforeRemoval, endProcesses } from "./server-process.ts";

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-test-"));
  t.after(async () => {
    await endProcesses(t);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export interface Organization {
  readonly store: Store;
  readonly owner: User;
  /** Runs an action and returns its result and emitted events. */
  act<T>(fn: (tx: Transaction) => T): { result: T; emitted: Emitted[] };
  /** Adds a person (`othello@example.com`); `more` overrides the defaults. */
  add(name: string, more?: Partial<NewUser>): User;
}

export interface Emitted {
  event: Record<string, unknown>;
  users: number[];
  differences: ReadonlyMap<number, Readonly<Record<string, unknown>>>;
}

/** An organization below HTTP: a store in its own folder, and its owner, desdemona. */
export async function startOrganization(
  t: TestContext,
  { now, folder = temporaryFolder(t) }: { now?: () => number; folder?: string } = {},
): Promise<Organization> {
  const store = await openStore({ folder, create: true, ...(now ? { now } : {}) });
  endBeforeRemoval(t, () => store.close());
  const act: Organization["act"] = (fn) => {
    const emitted: Emitted[] = [];
    const result = store.transact<unknown>({ actor: null, action: "test" }, (tx) =>
      fn(
        new Proxy(tx, {
          get(target, property) {
            const value = Reflect.get(target, property, target);
            if (property === "emit") {
              return (...[event, audience]: Parameters<Transaction["emit"]>) => {
                emitted.push({
                  event: { ...event },
                  users: [...audience.users],
                  differences: audience.perUserOverrides ?? new Map(),
                });
                return target.emit(event, audience);
              };
            }
            return typeof value === "function" ? value.bind(target) : value;
          },
        }),
      ),
    ) as ReturnType<typeof fn>;
    return { result, emitted };
  };
  const owner = act((tx) =>
    createOrganization(tx, {
      name: "Venice",
      owner: { email: "desdemona@example.com", full_name: "Desdemona", password_hash: null },
      emailHost: "venice.local",
    }),
  ).result;
  return {
    store,
    owner,
    act,
    add: (name, more = {}) =>
      act((tx) =>
        createUser(tx, owner, {
          email: `${name}@example.com`,
          full_name: name.charAt(0).toUpperCase() + name.slice(1),
          password_hash: null,
          ...more,
        }),
      ).result,
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON response; empty for a page. */
  body: Record<string, unknown>;
  bytes: Buffer;
}

export interface Served {
  app: { passwords: Passwords };
  keys: ApiKeys;
  operatorToken: string;
  baseUrl: string;
  /** Calls as a user with their key, as `"host"`, or anonymously. Parameters are form fields, or a GET's query. */
  call(as: User | "host" | null, route: string, params?: Record<string, unknown>): Promise<Answer>;
}

export async function serve(
  t: TestContext,
  { store, owner }: Organization,
  endpoints: readonly AnyEndpoint[],
): Promise<Served> {
  const keys = apiKeys(Buffer.alloc(32, 7));
  const operatorToken = "host's own";
  const signIns = new SignInThrottle({ limits: () => operatorSetting(store.reader, "RATE_LIMITS") });
  const https = { try: () => {}, refresh: () => {} }; // nothing here is encrypted
  const app = { store, keys, signIns, https, passwords: passwordHashing({ cost: 1024 }) };
  const http = createHttp<unknown, User>({
    store,
    app,
    endpoints,
    identify: (email, key) => viewerByKey(store.reader, keys, email, key),
    operatorToken: operatorToken,
    operatorActsAs: () => owner,
    logger: { error: (message, error) => t.diagnostic(`${message}: ${error}`) },
    checkResponses: true,
  });
  addPages(http.fastify);
  const { port } = await http.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => http.close());
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    app,
    keys,
    operatorToken,
    baseUrl,
    async call(as, route, params = {}) {
      const [method = "", path = ""] = route.split(" ");
      const fields = new URLSearchParams(
        Object.entries(params).map(([name, value]): [string, string] => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      );
      const headers: Record<string, string> = { "hearth-error-reason": "1" };
      if (as === "host") headers["authorization"] = `Bearer ${operatorToken}`;
      else if (as)
        headers["authorization"] = `Basic ${Buffer.from(`${as.email}:${keys.keyOf(as)}`).toString("base64")}`;
      const response =
        method === "GET"
          ? await fetch(`${baseUrl}${path}?${fields}`, { headers })
          : await fetch(`${baseUrl}${path}`, { method, headers, body: fields });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(bytes.toString()) : {},
        bytes,
      };
    },
  };
}
