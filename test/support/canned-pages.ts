import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { typeOfPageFile } from "../../server/media/file-types.ts";
import { CONTENT_SECURITY_POLICY } from "../../server/pages.ts";
import type { Session } from "../../ui/api/session.ts";
import type { OwnersState } from "./host-states.ts";

// The built pages with scripted responses, for states that are hard to reach with the real server.

const built = fileURLToPath(new URL("../../.build/ui/", import.meta.url));
/** Reads the files immediately, because another `npm test` may rebuild the pages. */
const files = new Map(
  readdirSync(built, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.\w+$/.test(path) && !path.endsWith(".map"))
    .map((path) => [`/${path}`, readFileSync(join(built, path))]),
);
export interface Canned {
  session: Partial<Session>;
  state?: OwnersState;
  /** Responses to other routes, by method and path. A number is a status; `hold` never responds. */
  answers?: Record<string, object | number | "hold">;
}

export interface CannedPages {
  readonly url: string;
  /** The requests of the pages, except polls. */
  readonly sent: { route: string; fields: Record<string, string> }[];
  /** Changes the state and ends the held poll. */
  publish(change: (state: OwnersState) => void): void;
  set(change: Partial<Canned>): void;
}

const NOBODY = { setup: false, code_needed: false, data_folder: "", at_desktop: false, user: null };
const accessOf = ({ at_desktop, user }: Partial<Session>): Session["access"] =>
  at_desktop || user?.role === 100
    ? "host"
    : user?.role === 200
      ? "organization"
      : user && user.role < 600
        ? "own"
        : "none";
export const OWNER = {
  user_id: 1,
  full_name: "Ann Lindqvist",
  email: "ann@example.org",
  role: 100,
  avatar_url: "/generated/user-1.png",
};

export async function cannedPages(t: TestContext, canned: Canned): Promise<CannedPages> {
  const sent: CannedPages["sent"] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
    const route = `${request.method} ${pathname.replace("/api/v1", "")}`;
    const body = new URLSearchParams(await textOf(request));
    const json = (value: object, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ result: status === 200 ? "success" : "error", msg: "", ...value }));
    };
    if (request.method !== "GET") sent.push({ route, fields: Object.fromEntries(body) });
    const given = canned.answers?.[route];
    if (given === "hold") return;
    if (typeof given === "number") return json({ msg: `Status ${given}` }, given);
    if (given) return json(given, "code" in given ? 400 : 200);
    if (route === "GET /host/session") return json({ ...NOBODY, access: accessOf(canned.session), ...canned.session });
    if (route === "GET /host/state") {
      const { state } = canned;
      if (!state) return json({ code: "UNAUTHORIZED", msg: "Not signed in." }, 401);
      const sendState = () => json(canned.state as OwnersState);
      if (searchParams.get("after") !== String(state.sample)) return sendState();
      waiting.add(sendState);
      const timer = setTimeout(() => waiting.delete(sendState) && sendState(), 2_000);
      response.on("close", () => [waiting.delete(sendState), clearTimeout(timer)]);
      return;
    }
    if (route === "POST /register")
      return json({ queue_id: "1", last_event_id: -1, streams: [], realm_name: canned.state?.organization.name });
    if (route === "GET /events") return; // no events
    if (route === "DELETE /events") return json({});
    if (route === "GET /host/setting-tables") return json(settingTables());
    if (route === "GET /invites") return json({ invites: [] });
    if (route === "GET /host/invitations") return json({ invitations: [] });
    if (route === "GET /server_settings") return json({ realm_name: "Sundbyberg Rowing Club" });
    if (pathname.startsWith("/generated/")) {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(picture(pathname));
      return;
    }
    const name = pathname === "/admin/" ? "/admin/index.html" : pathname;
    const file = files.get(name);
    if (!file) return json({ msg: "Not found" }, 404);
    response.writeHead(200, {
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "content-type": typeOfPageFile(name),
    });
    response.end(file);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    publish(change) {
      const before = canned.state as OwnersState;
      const state = structuredClone(before);
      change(state);
      const now = state.now === before.now ? Date.now() : state.now;
      canned.state = { ...state, sample: state.sample + 1, now };
      for (const sendState of waiting) sendState();
      waiting.clear();
    },
    set(change) {
      Object.assign(canned, change);
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

/** A picture whose colour depends on its name. */
function picture(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0) * 57) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="hsl(${hue} 45% 55%)" d="M0 0h10v10H0z"/><circle cx="5" cy="5" r="2.5" fill="#fff"/></svg>`;
}
