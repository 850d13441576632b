import assert from "node:assert/strict";
import test from "node:test";
import { KEEP_AWAKE } from "../../main/app-settings.ts";
import { autostartEntry } from "../../main/autostart-entry.ts";
import type { ServerState } from "../../main/bridge-types.ts";
import { mustStayAwake } from "../../main/keep-awake.ts";
import { inWords, speak, texts } from "../../main/texts.ts";
import { german } from "../../main/texts-de.ts";
import { english } from "../../main/texts-en.ts";
import { type TrayStatus, trayMenu, trayToolTip } from "../../main/tray-menu.ts";
import { problem, problemText } from "../../server/errors.ts";

const hosting: TrayStatus = {
  state: "running",
  organization: "Rowing Club",
  peopleOnline: 3,
  address: "http://192.168.1.7:9400",
  startAtLogin: false,
  unread: 0,
};

function menuOf(status: TrayStatus) {
  const done: unknown[] = [];
  const act =
    (name: string) =>
    (...given: unknown[]) =>
      void done.push([name, ...given]);
  const items = trayMenu(status, {
    open: () => act("open")(),
    openChat: () => act("openChat")(),
    copyAddress: act("copyAddress"),
    invite: () => act("invite")(),
    update: () => act("update")(),
    setStartAtLogin: act("setStartAtLogin"),
    quit: () => act("quit")(),
  });
  const item = (id: string) => items.find((one) => one.id === id);
  const click = (id: string) => (item(id)?.click as (() => void) | undefined)?.();
  return { items, item, click, done };
}

test("the tray shows the organization, online people and URL", () => {
  const { items, click, done } = menuOf(hosting);
  assert.deepEqual(
    items.filter(({ type }) => type !== "separator").map(({ label }) => label),
    [
      ...["Rowing Club", "3 people are online", "http://192.168.1.7:9400"],
      ...["Open Chat", "Open Hearth", "Copy Address", "Invite People…", "Start When I Sign In", "Quit Hearth"],
    ],
  );
  for (const id of ["openChat", "open", "copy", "invite", "startAtLogin", "quit"]) click(id);
  assert.deepEqual(done, [
    ["openChat"],
    ["open"],
    ["copyAddress", "http://192.168.1.7:9400"],
    ["invite"],
    ["setStartAtLogin", true],
    ["quit"],
  ]);
  assert.equal(trayToolTip(hosting), "Rowing Club: 3 people are online");
  assert.equal(trayToolTip({ ...hosting, unread: 2 }), "Rowing Club: 2 unread messages");
});

test("the tray offers only actions of the current server state", () => {
  const closed = menuOf({ ...hosting, address: undefined, peopleOnline: 1, startAtLogin: true });
  assert.deepEqual(
    [closed.item("address")?.label, closed.item("copy")?.enabled, closed.item("online")?.label],
    ["Only this computer can connect", false, "1 person is online"],
  );
  closed.click("copy");
  closed.click("startAtLogin");
  assert.deepEqual([closed.done, closed.item("startAtLogin")?.checked], [[["setStartAtLogin", false]], true]);
  assert.equal(menuOf({ ...hosting, peopleOnline: 0 }).item("online")?.label, "Nobody is online");
  assert.equal(closed.item("update"), undefined);
  const newer = menuOf({ ...hosting, update: "0.2.0" });
  newer.click("update");
  assert.deepEqual([newer.item("update")?.label, newer.done], ["Update to 0.2.0…", [["update"]]]);

  const others: Record<Exclude<ServerState, "running">, string> = {
    starting: "Hearth: starting…",
    setup: "Hearth: not set up yet",
    restarting: "Hearth: restarting…",
    failed: "Hearth: couldn't start",
    stopped: "Hearth: stopped",
  };
  for (const [state, label] of Object.entries(others)) {
    const status = { ...hosting, state: state as ServerState, organization: undefined };
    const { item } = menuOf(status);
    assert.deepEqual([item("state")?.label, item("online"), item("invite")?.enabled], [label, undefined, false]);
    assert.equal(item("copy")?.enabled, false);
    assert.notEqual(item("open")?.enabled, false);
    assert.equal(trayToolTip(status), label);
  }
});

test("keeps the computer awake for people, on battery if set", () => {
  const awake = (peopleOnline: number, onBattery: boolean) =>
    KEEP_AWAKE.filter((setting) => mustStayAwake({ setting, peopleOnline, onBattery }));
  assert.deepEqual(awake(0, false), []);
  assert.deepEqual(awake(0, true), []);
  assert.deepEqual(awake(1, false), ["on power", "always"]);
  assert.deepEqual(awake(1, true), ["always"]);
});

test("an autostart entry quotes its command", () => {
  const exec = (...command: string[]) => /^Exec=(.*)$/m.exec(autostartEntry(command))?.[1];
  assert.equal(exec("/opt/Hearth/hearth", "--hidden"), '"/opt/Hearth/hearth" "--hidden"');
  assert.equal(exec("/home/ada/My Apps/100%.AppImage"), '"/home/ada/My Apps/100%%.AppImage"');
  assert.match(autostartEntry(["/home/ann/My Apps/1\\2", "--hidden"]), /^TryExec=\/home\/ann\/My Apps\/1\\\\2$/m);
  assert.equal(exec('/a"b$c\\d'), String.raw`"/a\\"b\\$c\\\\d"`);
});

test("the app speaks German on German systems", async (t) => {
  t.after(() => speak([]));
  const missing = problem("data_folder_not_found", { folder: "/a" });
  await speak(["fr", "en-GB", "de"]);
  assert.deepEqual([texts.quit, inWords(missing)], ["Quit", problemText(missing)]);
  await speak(["fr", "de-AT", "en"]);
  const { items } = menuOf({ ...hosting, peopleOnline: 1 });
  assert.deepEqual(
    items.flatMap(({ label }) => label ?? []),
    [
      ...[
        "Rowing Club",
        "1 Person ist online",
        "http://192.168.1.7:9400",
        "Chat öffnen",
        "Hearth öffnen",
        "Adresse kopieren",
      ],
      ...["Personen einladen…", "Beim Anmelden starten", "Hearth beenden"],
    ],
  );
  assert.equal(trayToolTip({ ...hosting, state: "failed" }), "Hearth: konnte nicht starten");
  assert.match(inWords(missing), /^Der Datenordner \/a /);
  await speak(["fr"]);
  assert.deepEqual([texts.quit, inWords(missing)], ["Quit", problemText(missing)]);
});

test("every English text has a German one with its placeholders", () => {
  const given = { from: "(from)", to: "(to)", kept: "(kept)", backup: "(backup)" };
  const values = (text: string) => (text.match(/\(\w+\)|\b7\d\b/g) ?? []).sort();
  const compare = (one: object, other: object, path: string) => {
    for (const [key, value] of Object.entries(one)) {
      const translated = (other as Record<string, unknown>)[key];
      const name = `${path}${key}`;
      if (typeof value === "object") compare(value, translated as object, `${name}.`);
      else {
        const say = (text: unknown) =>
          typeof text !== "function" ? text : key === "wayBack" ? text(given) : text(71, "(second)");
        const [said, inGerman] = [say(value), say(translated)];
        assert.notEqual(inGerman, said, name);
        assert.deepEqual(values(inGerman), values(said), name);
      }
    }
  };
  compare(english, german, "");
});
