import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { type DesktopApp, startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";

// What the window shows and what it must not do: Electron's security checklist, item by item, in one app.

desktopTest("the window shows Hearth's own page and nothing else", async (t) => {
  const { path } = await dataFolder(t);
  // Access to a missing camera fails without a permission check, so there is a fake one.
  const desktop = await startDesktop(t, { dataFolder: path, switches: ["--use-fake-device-for-media-stream"] });
  const page = await desktop.page();
  await desktop.running();
  for (const [name, check] of Object.entries(checks)) await t.test(name, () => check(desktop, page, t));
  await t.test("the window has never left its page", () => {
    assert.deepEqual([page.url().split("#")[0], desktop.app.windows().length], ["app://hearth/", 1]);
  });
});

const checks: Record<string, (desktop: DesktopApp, page: Page, t: TestContext) => Promise<void>> = {
  "one window opens at app://hearth/ with title and menu": async ({ ask }, page) => {
    assert.equal(page.url().split("#")[0], "app://hearth/");
    const shown = () => ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() || undefined);
    await until(shown, "the window is shown");
    const about = await ask(({ app: itself, BrowserWindow, Menu }) => ({
      windows: BrowserWindow.getAllWindows().length,
      title: BrowserWindow.getAllWindows()[0]!.getTitle(),
      roles: Menu.getApplicationMenu()!.items.flatMap(({ submenu }) =>
        submenu!.items.map(({ role, id }) => role ?? id),
      ),
      name: itself.getName(),
    }));
    assert.deepEqual([about.windows, about.name], [1, "Hearth"]);
    assert.match(about.title, /Hearth/);
    const roles = about.roles.map((role) => String(role).toLowerCase());
    for (const role of ["copy", "paste", "cut", "undo", "selectall", "reload", "zoomin", "resetzoom", "datafolder"]) {
      assert.ok(roles.includes(role), `${role} in ${roles}`);
    }
    for (const role of ["togglefullscreen", "minimize", "quit", "about"]) assert.ok(roles.includes(role), role);
  },

  "the window has the page's background before the first paint": async ({ ask }, page) => {
    for (const scheme of ["dark", "light"] as const) {
      await ask(({ nativeTheme }, source) => {
        nativeTheme.themeSource = source;
      }, scheme);
      await page.emulateMedia({ colorScheme: scheme }); // Playwright overrides the page's scheme
      const painted = async () => {
        const behind = await ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBackgroundColor());
        const color = await page.evaluate(() => {
          const { document, getComputedStyle } = globalThis as any;
          return getComputedStyle(document.body).backgroundColor;
        });
        const numbers = String(color).match(/\d+/g) ?? [];
        const seen = numbers.slice(0, 3).map((number) => Number(number).toString(16).padStart(2, "0"));
        return (seen[0]! < "80" === (scheme === "dark") && `#${seen.join("")}` === behind.toLowerCase()) || undefined;
      };
      await until(painted, `page and window are of the same ${scheme} colour`);
    }
  },

  "web contents are sandboxed and isolated from Node": async ({ ask }, page) => {
    const preferences = await ask(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => (contents as any).getLastWebPreferences()),
    );
    assert.equal(preferences.length, 1);
    const [found] = preferences;
    assert.deepEqual(
      [found.sandbox, found.contextIsolation, found.nodeIntegration, found.webviewTag, found.webSecurity],
      [true, true, false, false, true],
    );
    for (const name of [
      "nodeIntegrationInWorker",
      "nodeIntegrationInSubFrames",
      "allowRunningInsecureContent",
      "experimentalFeatures",
      "enableBlinkFeatures",
      "navigateOnDragDrop",
    ]) {
      assert.ok(!found[name], name);
    }
    const seen = await page.evaluate(() => {
      const names = ["require", "process", "module", "Buffer", "global", "electron", "ipcRenderer", "__dirname"];
      return names.filter((name) => name in globalThis);
    });
    assert.deepEqual(seen, []);
    const switches = await ask(({ app: itself }) =>
      [
        "disable-web-security",
        "allow-running-insecure-content",
        "ignore-certificate-errors",
        "enable-experimental-web-platform-features",
        "enable-blink-features",
      ].filter((name) => itself.commandLine.hasSwitch(name)),
    );
    assert.deepEqual(switches, []);
  },

  "the page obeys its Content-Security-Policy": async (_desktop, page) => {
    const policy = await page.evaluate(async () => (await fetch("/")).headers.get("content-security-policy"));
    assert.match(String(policy), /^default-src 'none'; script-src 'self'; /);
    assert.doesNotMatch(String(policy), /script-src[^;]*unsafe/);
    await page.evaluate(async () => {
      const { document } = globalThis as any;
      const marks: string[] = [];
      (globalThis as any).mark = (what: string) => marks.push(what);
      const broken: string[] = [];
      document.addEventListener("securitypolicyviolation", (event: any) => broken.push(event.effectiveDirective));
      const add = (name: string, fields: object) =>
        document.body.append(Object.assign(document.createElement(name), fields));
      add("script", { textContent: "mark('inline script')" });
      add("script", { src: "https://example.com/x.js", onload: () => marks.push("script from elsewhere") });
      add("script", { src: "data:text/javascript,mark('data script')" });
      add("div", { innerHTML: "<img src=x onerror=\"mark('handler')\">" });
      add("img", { src: "https://example.com/x.png", onload: () => marks.push("image from elsewhere") });
      add("a", { href: "javascript:mark('javascript address')", id: "js" });
      document.getElementById("js").click();
      // In a task of its own, since the policy exempts what a debugger evaluates.
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: the policy must block it
            marks.push(globalThis.eval("'eval'"));
          } catch {}
          try {
            marks.push(new Function("return 'new Function'")());
          } catch {}
          resolve();
        }),
      );
      for (const address of ["https://example.com/", "http://127.0.0.1:9/", "file:///etc/passwd", "app://other/"]) {
        await fetch(address).then(
          () => marks.push(`fetch ${address}`),
          () => {},
        );
      }
      add("iframe", { src: "app://hearth/", id: "own", onload: () => {} });
      add("iframe", { src: "https://example.com/" });
      Object.assign(globalThis, { marks, broken });
    });
    const directives = ["script-src-elem", "script-src-attr", "img-src", "connect-src", "frame-src", "script-src"];
    const reported = (all: string[]) => all.every((directive) => (globalThis as any).broken.includes(directive));
    await page.waitForFunction(reported, directives);
    assert.deepEqual(await page.evaluate(() => (globalThis as any).marks), []);
    assert.ok(page.frames().every((frame) => !frame.url().startsWith("http")));
  },

  "a frame has no bridge": async (_desktop, page) => {
    const found = await page.evaluate(() => {
      const { document } = globalThis as any;
      const frame = document.createElement("iframe");
      document.body.append(frame);
      return [typeof frame.contentWindow.hearth, typeof (globalThis as any).hearth];
    });
    assert.deepEqual(found, ["undefined", "object"]);
  },

  "links and scripts cannot navigate away": async (_desktop, page) => {
    for (const address of ["https://example.com/", "file:///etc/passwd", "data:text/html,x", "app://other/"].concat([
      "app://hearth/api/v1/users/me",
      "app://hearth/assets/x.js",
      "http://127.0.0.1:9400/admin/",
      "app://hearth/?other",
    ])) {
      const stays = await page.evaluate(async (to) => {
        const { document, location } = globalThis as any;
        (globalThis as any).stillHere = true;
        document.body.append(Object.assign(document.createElement("a"), { href: to, id: "away" }));
        document.getElementById("away").click();
        document.getElementById("away").remove();
        location.href = to;
        await new Promise((resolve) => setTimeout(resolve, 150));
        return (globalThis as any).stillHere && location.href.split("#")[0];
      }, address);
      assert.equal(stays, "app://hearth/", address);
    }
  },

  "a page that empties itself reloads": async (_desktop, page) => {
    await page.evaluate(() => {
      (globalThis as any).emptied = true;
      setTimeout(() => {
        (globalThis as any).location.href = "about:blank";
      });
    });
    await page.waitForFunction(() => !("emptied" in globalThis));
    await page.waitForURL((url) => url.href.startsWith("app://hearth/"));
    await page.waitForFunction(() => typeof (globalThis as any).hearth === "object");
  },

  "no other window opens, and only safe links leave the app": async (desktop, page) => {
    const own = `http://127.0.0.1:${desktop.port}/admin/`;
    const refused = [
      "https://example.com/",
      "http://127.0.0.1:1/",
      `http://example.com:${desktop.port}/`,
      `http://user:secret@127.0.0.1:${desktop.port}/`,
      "file:///etc/passwd",
      "javascript:alert(1)",
      "smb://nas/share",
      "ms-msdt:/id",
      "mailto:ada@example.com?attach=/etc/passwd",
      "mailto:",
      "app://hearth/",
      "about:blank",
    ];
    const windows = await page.evaluate(
      (addresses) => {
        const { document, open } = globalThis as any;
        const link = Object.assign(document.createElement("a"), { href: "https://example.com/", target: "_blank" });
        link.click();
        link.dispatchEvent(new (globalThis as any).MouseEvent("click", { button: 1, ctrlKey: true, bubbles: true }));
        return addresses.filter((address) => open(address) !== null);
      },
      [own, "mailto:ada@example.com", ...refused],
    );
    assert.deepEqual(windows, []);
    await until(async () => ((await desktop.opened()).length >= 2 ? true : undefined), "two addresses are opened");
    assert.deepEqual(await desktop.opened(), [own, "mailto:ada@example.com"]);
    assert.equal(desktop.app.windows().length, 1);
  },

  "no web contents can attach a webview or navigate": async ({ ask }) => {
    const found = await ask(async ({ BrowserWindow, webContents }) => {
      const other = new BrowserWindow({ show: false, webPreferences: { webviewTag: true, sandbox: true } });
      await other.loadURL("app://hearth/");
      const before = webContents.getAllWebContents().length;
      await other.webContents.executeJavaScript(`{
        const view = document.createElement("webview");
        view.src = "app://hearth/";
        view.setAttribute("allowpopups", "");
        document.body.append(view);
        location.href = "https://example.com/";
        open("https://example.com/");
        new Promise((resolve) => setTimeout(resolve, 500));
      }`);
      const after = webContents.getAllWebContents().length;
      const url = other.webContents.getURL();
      other.destroy();
      return { more: after - before, url };
    });
    assert.deepEqual(found, { more: 0, url: "app://hearth/" });
  },

  "nothing loads from other hosts, even in the main process": async ({ ask }) => {
    const failures = await ask(async ({ BrowserWindow }) => {
      const other = new BrowserWindow({ show: false });
      const found: string[] = [];
      for (const url of ["http://127.0.0.1:9/", "https://example.com/", "file:///etc/passwd", "app://hearth/api/v1/x"])
        await other.loadURL(url).catch((error: Error) => found.push(error.message.split(" ")[0]!));
      const statuses = await other.webContents.executeJavaScript("document.body?.innerText ?? ''");
      other.destroy();
      return { found, statuses };
    });
    assert.deepEqual(failures.found.slice(0, 3), Array(3).fill("ERR_BLOCKED_BY_CLIENT"));
    assert.equal(failures.statuses, "");
  },

  "every permission except copying is denied": async ({ ask }, page) => {
    await ask(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.focus());
    const answers = await page.evaluate(async () => {
      const { navigator, Notification } = globalThis as any;
      const outcome = (work: Promise<unknown>) =>
        work.then(
          () => "granted",
          (error: Error) => error.name,
        );
      const state = async (name: string) => (await navigator.permissions.query({ name })).state;
      return {
        camera: await outcome(navigator.mediaDevices.getUserMedia({ video: true, audio: true })),
        screen: await outcome(navigator.mediaDevices.getDisplayMedia({ video: true })),
        place: await outcome(
          new Promise((resolve, reject) =>
            navigator.geolocation.getCurrentPosition(resolve, (error: any) =>
              reject(Object.assign(new Error(), { name: `code ${error.code}` })),
            ),
          ),
        ),
        notifications: await Notification.requestPermission(),
        midi: await outcome(navigator.requestMIDIAccess({ sysex: true })),
        reading: await outcome(navigator.clipboard.readText()),
        writing: await outcome(navigator.clipboard.writeText("http://192.168.1.7:9400")),
        states: await Promise.all(["geolocation", "camera", "microphone", "notifications", "midi"].map(state)),
      };
    });
    assert.deepEqual(answers, {
      camera: "NotAllowedError",
      screen: "NotAllowedError",
      place: "code 1",
      notifications: "denied",
      midi: answers.midi === "SecurityError" ? "SecurityError" : "NotAllowedError",
      reading: "NotAllowedError",
      writing: "granted",
      states: Array(5).fill("denied"),
    });
    assert.equal(await ask(({ clipboard }) => clipboard.readText()), "http://192.168.1.7:9400");
  },

  "a peer connection reaches no other machine": async (_desktop, page, t) => {
    const heard: string[] = [];
    const udp = createSocket("udp4", () => heard.push("UDP")).bind(0, "127.0.0.1");
    const tcp = createServer(() => heard.push("TCP")).listen(0, "127.0.0.1");
    t.after(() => [udp.close(), tcp.close()]);
    await Promise.all([once(udp, "listening"), once(tcp, "listening")]);
    const candidates = await page.evaluate(
      async ([stun, turn]) => {
        const login = { username: "what was", credential: "stolen" };
        const iceServers = [
          { urls: `stun:127.0.0.1:${stun}` },
          { urls: `turn:127.0.0.1:${turn}?transport=tcp`, ...login },
        ];
        const connection = new (globalThis as any).RTCPeerConnection({ iceServers });
        const found: string[] = [];
        const gathered = new Promise<void>((resolve) => {
          connection.onicecandidate = ({ candidate }: any) => (candidate ? found.push(candidate.candidate) : resolve());
        });
        connection.createDataChannel("out");
        await connection.setLocalDescription(await connection.createOffer());
        await gathered;
        connection.close();
        return found;
      },
      [udp.address().port, (tcp.address() as AddressInfo).port],
    );
    assert.deepEqual([candidates, heard], [[], []]);
  },

  "an export is made and saved in the window, as the server has it": async (desktop, page) => {
    const to = join(mkdtempSync(join(tmpdir(), "hearth-saved-")), "saved.tar");
    await desktop.ask(({ session }, path) => {
      session.defaultSession.on("will-download", (_event, item) => item.setSavePath(path)); // or it would ask
    }, to);
    await page.evaluate(() => {
      (globalThis as any).location.hash = "#/data";
    });
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("button", { name: /^Download the export of / }).click();
    const made = await until(() => readdirSync(join(desktop.dataFolder, "exports"))[0], "the export's file");
    const { size } = statSync(join(desktop.dataFolder, "exports", made));
    await until(() => (existsSync(to) && statSync(to).size === size) || undefined, "the saved file");
    assert.deepEqual(readFileSync(to), readFileSync(join(desktop.dataFolder, "exports", made)));
    rmSync(dirname(to), { recursive: true });
    await page.evaluate(() => {
      (globalThis as any).location.hash = "#/";
    });
    await page.getByText("Running since").waitFor();
  },

  "downloads are blocked, but for tables and reports of the page": async ({ ask }, page) => {
    await ask(({ session }) => {
      const seen: Record<string, boolean> = {};
      Object.assign(globalThis, { downloads: seen });
      session.defaultSession.on("will-download", (event, item) => {
        seen[item.getFilename()] = event.defaultPrevented;
        event.preventDefault(); // or it would ask where to save it
      });
    });
    for (const name of ["free.exe", "hearth-audit.csv", "hearth-help.json", "hearth-export-1.tar", "page.html"]) {
      await page.evaluate((download) => {
        const { document } = globalThis as any;
        const href = (URL as any).createObjectURL(new Blob(["MZ"]));
        Object.assign(document.createElement("a"), { href, download }).click();
      }, name);
      const seen = async () => (await ask(() => (globalThis as any).downloads as Record<string, boolean>))[name];
      assert.equal(await until(seen, `${name} is saved or refused`), /exe|html/.test(name), name);
    }
  },

  "the bridge has few calls and checks their arguments": async (desktop, page) => {
    const names = await page.evaluate(() => Object.keys((globalThis as any).hearth).sort());
    assert.deepEqual(names, [
      "cancelMove",
      "cancelUpdate",
      "checkForUpdate",
      "checkInstallerFile",
      "chooseBackup",
      "chooseDataFolder",
      "chooseInstallerFile",
      "chooseMoveTarget",
      "downloadUpdate",
      "folderWork",
      "goBackToOldFolder",
      "installUpdate",
      "moveDataFolder",
      "onServerState",
      "platform",
      "quit",
      "removeKeptVersion",
      "removeOldFolder",
      "serverProblem",
      "setBehavior",
      "setNetwork",
      "setUpdateSource",
      "settings",
      "showDataFolder",
      "startAgain",
      "updates",
      "useDataFolder",
    ]);
    const settings = await page.evaluate(() => (globalThis as any).hearth.settings());
    assert.deepEqual(settings, {
      dataFolder: desktop.dataFolder,
      isDefaultFolder: false,
      folderWarning: null,
      lan: false,
      port: desktop.port,
      closeToTray: true,
      keepAwake: "on power",
      startAtLogin: false,
      hasTray: false,
      version: settings.version,
    });
    const refusals = await page.evaluate(async () => {
      const given: unknown[] = [undefined, null, true, {}, { lan: "true" }, { lan: 1 }, { lan: true, port: 1 }, []];
      const outcome = (value: unknown) =>
        (globalThis as any).hearth.setNetwork(value).then(
          () => "accepted",
          (error: Error) => error.message.split(":")[0],
        );
      return Promise.all(given.map(outcome));
    });
    assert.deepEqual(refusals, Array(8).fill("setNetwork"));
    assert.match(
      await page.evaluate(() => (globalThis as any).hearth.useDataFolder().catch((error: Error) => error.message)),
      /^No folder has been chosen\.$/,
    );
    const [moved, back, removed, state] = await page.evaluate(() => {
      const { hearth } = globalThis as any;
      const refusal = (error: Error) => error.message;
      return Promise.all([
        hearth.moveDataFolder().catch(refusal),
        hearth.goBackToOldFolder().catch(refusal),
        hearth.removeOldFolder().catch(refusal),
        hearth.folderWork(),
      ]);
    });
    assert.equal(moved, "No folder has been chosen.", "the page names no place itself");
    for (const refused of [back, removed])
      assert.equal(refused, "The folder that the data was moved from is not there any more.");
    assert.equal(state, null);
    assert.equal(desktop.settings().lan, undefined); // unchanged
    await page.evaluate(() => (globalThis as any).hearth.showDataFolder());
    assert.equal((await desktop.opened()).at(-1), desktop.dataFolder);
  },

  "the bridge refuses arguments that no call has, and forged senders": async (desktop) => {
    const opened = await desktop.opened();
    const { kept, refused, wrong, names } = await desktop.ask(async ({ BrowserWindow, ipcMain }) => {
      const sender = BrowserWindow.getAllWindows()[0]!.webContents;
      const handlers = (ipcMain as any)._invokeHandlers as Map<string, (...args: unknown[]) => Promise<any>>;
      const ours = [...handlers.keys()].filter((name) => name.startsWith("hearth:"));
      let deep: unknown = {};
      for (let depth = 0; depth < 1000; depth++) deep = [deep];
      const hostile: unknown[] = [null, 0, Number.NaN, -1, 1e308, true, "", "x".repeat(1_000_000), [], deep].concat([
        { lan: [true] },
        { lan: true, toString: 1 },
        { closeToTray: "no" },
        { keepAwake: "sometimes" },
        { startAtLogin: null },
        { address: "https://one.example/", key: 1 },
        JSON.parse('{"__proto__":{"lan":true}}'),
        Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index])),
      ]);
      const page = { sender, senderFrame: sender.mainFrame };
      const wrong: string[] = [];
      let refused = 0;
      for (const name of ours) {
        for (const args of [...hostile.map((one) => [one]), [undefined, undefined], [{ lan: true }, 1], hostile]) {
          const { error } = await handlers.get(name)!(page, ...args);
          if (typeof error === "string" && error.startsWith(`${name.slice("hearth:".length)}: `)) refused += 1;
          else wrong.push(`${name}(${JSON.stringify(args)?.slice(0, 60)}): ${error}`);
        }
        for (const forged of [{ sender: {}, senderFrame: sender.mainFrame }, { sender, senderFrame: null }, { sender }])
          if ((await handlers.get(name)!(forged)).error !== "Refused.")
            wrong.push(`${name} from ${Object.keys(forged)}`);
      }
      return { kept: ours.length, refused, wrong, names: ours };
    });
    assert.deepEqual(wrong, []);
    assert.ok(kept >= 19 && refused === kept * 21, `${refused} of ${names}`);
    // Nothing was saved, opened or ended.
    assert.deepEqual(
      Object.keys(desktop.settings())
        .filter((name) => name !== "window")
        .sort(),
      ["dataFolder", "port"],
    );
    assert.deepEqual(await desktop.opened(), opened);
  },

  "the bridge answers only the window's own page": async ({ ask }) => {
    const answers = await ask(async ({ app: itself, BrowserWindow }) => {
      const preload = `${itself.getAppPath()}/.build/app/preload.cjs`;
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      const call = `hearth.settings().then(() => "answered", (error) => error.message)`;
      await other.loadURL("app://hearth/");
      const sameOrigin = await other.webContents.executeJavaScript(call);
      await other.loadURL("about:blank");
      const blank = await other.webContents.executeJavaScript(call);
      other.destroy();
      return { sameOrigin, blank };
    });
    assert.deepEqual(answers, { sameOrigin: "Refused.", blank: "Refused." });
  },

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
          } catch {} // getters that refuse
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
