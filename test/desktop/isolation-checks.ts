import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Checks } from "../support/desktop.ts";
import { until } from "../support/patience.ts";

// The page has no access to Node, other pages and windows, other machines, and permissions.

export const isolation: Checks = {
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
      // Runs in its own task, because the policy exempts debugger evaluations.
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
      "mailto:ada@example.com?subject=Join&BCC=eve@example.com",
      "mailto:",
      "app://hearth/",
      "about:blank",
    ];
    const before = (await desktop.opened()).length;
    const windows = await page.evaluate(
      (addresses) => {
        const { document, open } = globalThis as any;
        const link = Object.assign(document.createElement("a"), { href: "https://example.com/", target: "_blank" });
        link.click();
        link.dispatchEvent(new (globalThis as any).MouseEvent("click", { button: 1, ctrlKey: true, bubbles: true }));
        return addresses.filter((address) => open(address) !== null);
      },
      [own, "mailto:ada@example.com?subject=Join&body=Hello", ...refused],
    );
    assert.deepEqual(windows, []);
    const opened = async () => (await desktop.opened()).slice(before);
    await until(async () => ((await opened()).length >= 2 ? true : undefined), "two addresses are opened");
    assert.deepEqual(await opened(), [own, "mailto:ada@example.com?subject=Join&body=Hello"]);
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
};
