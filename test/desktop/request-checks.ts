import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Checks } from "../support/desktop.ts";

// Responses at app://hearth/, from the built pages and from the server.

export const requests: Checks = {
  "no path leads out of the built pages": async (_desktop, page) => {
    const paths = ["/../../etc/passwd", "/..%2f..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd"].concat(
      ["/assets/..%2f..%2fapp%2fmain.js", "/assets/%2e%2e%2f%2e%2e%2fapp/main.js", "/assets/..%5c..%5capp%5cmain.js"],
      ["/assets/../../app/main.js", "/assets//etc/passwd", "/assets/%00", "/assets/.", "/assets/.../x", "/assets/"],
      ["/assets/%252e%252e%252fapp%252fmain.js", "/admin/index.html", "/admin/../app/main.js", "//etc/passwd"],
      ["/C:/Windows/win.ini", "/assets/C:%5cWindows%5cwin.ini", "/package.json", "/app/main.js", "/.git/config"],
    );
    const answers = await page.evaluate(
      (all) =>
        Promise.all(
          all.map(async (path) => {
            const response = await fetch(`app://hearth${path}`).catch(() => undefined);
            return { path, status: response?.status ?? 0, length: (await response?.text())?.length ?? 0 };
          }),
        ),
      paths,
    );
    for (const { path, status, length } of answers) {
      assert.deepEqual([status === 404 || status === 0, length], [true, 0], `${path}: ${status}, ${length}`);
    }
    assert.equal(answers.length, paths.length);
  },

  "requests to the server carry only expected headers": async ({ ask, port }, page) => {
    await page.evaluate(async () => {
      (globalThis as any).document.cookie = "stolen=1; path=/";
      const headers = {
        authorization: "Basic Zm9vOmJhcg==",
        "x-hearth-request": "1",
        "x-forwarded-for": "10.0.0.1",
        "accept-language": "tlh",
      };
      await fetch("/host/settings?probe=1", { headers, credentials: "include" });
      const form = new FormData();
      form.append("content", new Blob([new Uint8Array(300_000)]), "x.bin");
      await fetch("/api/v1/messages?probe=2", { method: "POST", body: form, headers, referrer: "app://hearth/secret" });
    });
    const requests = await ask(() =>
      (globalThis as any).hearthTest.requests.filter((one: any) => one.path.includes("probe=")),
    );
    assert.deepEqual(
      requests.map(({ method, path }: any) => `${method} ${path}`),
      ["GET /host/settings?probe=1", "POST /api/v1/messages?probe=2"],
    );
    for (const { headers } of requests) {
      const names = Object.keys(headers).filter((name) => headers[name] !== undefined);
      const passed = ["accept", "accept-language", "authorization", "content-type", "host", "user-agent"];
      assert.deepEqual(
        names.filter((name) => !passed.includes(name)),
        [],
      );
      assert.match(headers.authorization, /^Bearer [\w-]{43}$/);
      assert.deepEqual([headers["accept-language"], headers.host], ["tlh", `127.0.0.1:${port}`]);
    }
  },

  "only fetch and the API's methods reach the server": async ({ ask }, page) => {
    const found = await page.evaluate(async () => {
      const { document } = globalThis as any;
      const load = (name: string, fields: object) =>
        new Promise((resolve) => {
          const element = Object.assign(document.createElement(name), fields);
          element.onload = () => resolve("loaded");
          element.onerror = () => resolve("refused");
          document.head.append(element);
        });
      const status = (path: string, method: string) =>
        fetch(path, { method }).then(
          (response) => response.status,
          () => "refused",
        );
      const form = new FormData();
      form.set("icon", await (await fetch("/generated/user-1.png")).blob());
      const { icon_url } = await (await fetch("/api/v1/realm/icon", { method: "POST", body: form })).json();
      return {
        script: await load("script", { src: "/api/v1/server_settings?probe=3" }),
        style: await load("link", { rel: "stylesheet", href: "/host/settings?probe=3" }),
        image: await load("img", { src: "/api/v1/server_settings?probe=3" }),
        picture: await load("img", { src: "/generated/user-1.png" }),
        uploaded: await load("img", { src: icon_url }),
        odd: await status("/api/v1/server_settings?probe=3", "PROPFIND"),
        page: await status("/", "POST"),
        api: await status("/api/v1/server_settings", "GET"),
      };
    });
    assert.deepEqual(found, {
      script: "refused",
      style: "refused",
      image: "refused",
      picture: "loaded",
      uploaded: "loaded",
      odd: 403,
      page: 403,
      api: 200,
    });
    const reached = await ask(() =>
      (globalThis as any).hearthTest.requests.filter((one: any) => one.path.includes("probe=3")),
    );
    assert.deepEqual(reached, []);
  },

  "the page cannot find the operator's credential": async (desktop, page) => {
    const { token } = JSON.parse(readFileSync(join(desktop.dataFolder, "host.json"), "utf8"));
    assert.equal(token.length, 43);
    const all = await page.evaluate(async () => {
      const { document, localStorage, sessionStorage, performance } = globalThis as any;
      const texts: string[] = [document.documentElement.outerHTML, document.cookie];
      texts.push(
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        JSON.stringify(performance.getEntries()),
      );
      for (const path of ["/", "/host/session", "/host/settings", "/host/state", "/api/v1/users/me", "/api/v1/no"]) {
        const response = await fetch(path);
        texts.push(path, JSON.stringify([...response.headers]), await response.text());
      }
      const seen = new Set<unknown>();
      const walk = (value: any, depth: number) => {
        if (typeof value === "string") texts.push(value);
        if (value === null || !["object", "function"].includes(typeof value) || seen.has(value) || depth > 6) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          try {
            walk(value[key], depth + 1);
          } catch {} // getters that throw
        }
      };
      walk(globalThis, 0);
      return texts;
    });
    assert.ok(all.length > 1000);
    assert.deepEqual(
      all.filter((text) => text.includes(token)),
      [],
    );
    assert.ok(!desktop.output.includes(token));
  },
};
