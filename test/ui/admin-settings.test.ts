import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { onWire } from "../../ui/admin/settings/setting.ts";
import { en } from "../../ui/locales/en.ts";
import { type Setting, settingsIn } from "../../ui/parts/settings/setting-tables.ts";
import {
  assertAccessible,
  assertAccessibleInBothThemes,
  assertFits,
  closeNotices,
  moveDragged,
  visit,
} from "../support/browser.ts";
import { openFromPalette } from "../support/palette.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";
import { MOVING_GIF } from "../support/uploaded-pictures.ts";

const SETTINGS = settingsIn(settingTables().organization);
const texts = en.organization as unknown as Record<string, { label: string; choices?: Record<string, string> }>;

interface Window {
  page: Page;
  complaints: string[];
  url: string;
  owner: Person;
  /** The organization fields of /register, with current values. */
  held(): Promise<Record<string, unknown>>;
}

async function openWindow(t: TestContext, path: string): Promise<Window> {
  const folder = await dataFolder(t);
  const server = await serveHere(t, folder.path);
  const { page, complaints } = await visit(t, `${server.url}/admin/#${path}`, { as: OWNER_LOGIN });
  const owner = folder.people[0] as Person;
  const held = async () => {
    const state = await call(server.url, owner, "POST /register", { fetch_event_types: ["realm"], event_types: [] });
    await call(server.url, owner, "DELETE /events", { queue_id: state["queue_id"] }); // a user may have 500 queues
    return state;
  };
  return { page, complaints, url: server.url, owner, held };
}

/** The browser logs each refused request. */
const isUnexpected = (complaint: string) => !complaint.includes("400 (Bad Request)");

/** A valid value that differs from the initial one and needs no other setup. */
function otherValue({ name: id, control, initial, values = [] }: Setting, channel: number): unknown {
  switch (control) {
    case "switch":
      return !initial;
    case "text":
    case "lines":
      return id === "name" ? "Verona" : id === "default_code_block_language" ? "python" : "Words of our own.";
    case "number":
      return Number(initial) + 3;
    case "choice":
      return values.find((value) => value !== initial);
    case "period":
      return 3600;
    case "days":
      return 30;
    case "channel":
      return channel;
    case "language":
      return "de";
    case "address":
      return "https://meet.example.org";
  }
}

/** The text that a setting's control shows for a value. */
function shownValue({ name: id, control }: Setting, value: unknown): string | boolean {
  if (control === "switch") return value as boolean;
  if (control === "choice") return texts[id]?.choices?.[String(value)] as string;
  if (control === "period")
    return value === null
      ? en.settings.always
      : value === 600
        ? uiText("settings.minutes", { count: 10 })
        : value === 604_800
          ? uiText("settings.forDays", { count: 7 })
          : uiText("settings.hours", { count: 1 });
  if (control === "days") return value === -1 ? en.settings.never : uiText("settings.forDays", { count: 30 });
  if (control === "channel") return value === -1 ? en.settings.noChannel : "#stage";
  if (control === "language") return value === "de" ? "Deutsch" : "English";
  return value === null ? "" : String(value);
}

/** Its label contains the help too. */
const switchOf = (page: Page, id: string): Locator =>
  page.getByRole("switch", { name: new RegExp(`^${texts[id]?.label}`) });

async function changeByHand(page: Page, setting: Setting, value: unknown): Promise<void> {
  const { name: id, control } = setting;
  if (control === "switch") return switchOf(page, id).click();
  if (control === "text" || control === "lines" || control === "address" || control === "number") {
    const field = page.getByLabel(texts[id]?.label as string, { exact: true });
    await field.fill(String(value));
    return field.blur();
  }
  await page
    .getByLabel(texts[id]?.label as string, { exact: true })
    .first()
    .click();
  await page.getByRole("option", { name: shownValue(setting, value) as string, exact: true }).click();
  if (control === "days")
    await page.getByRole("button", { name: uiText("channels.retention.confirm", { count: 30 }) }).click(); // deletes older messages
}

test("changes each setting and shows others' changes", async (t) => {
  const { page, complaints, url, owner, held } = await openWindow(t, "/organization");
  await page.getByRole("main").getByRole("heading", { name: en.organization.title, exact: true }).waitFor();
  const created = await call(url, owner, "POST /users/me/subscriptions", {
    subscriptions: [{ name: "stage" }],
    invite_only: true,
  });
  assert.equal(created.status, 200);
  const { stream_id: channel } = await call(url, owner, "GET /get_stream_id", { stream: "stage" });
  await page.getByText(en.settings.showOthers).click();

  for (const setting of SETTINGS) {
    const value = otherValue(setting, channel as number);
    await closeNotices(page);
    await changeByHand(page, setting, value);
    await until(
      async () => (await held())[`realm_${setting.name}`] === value || undefined,
      `${setting.name} to be saved as ${value}`,
    );
  }
  await page.getByRole("heading", { name: "Verona", exact: true }).waitFor();

  // The API restores the values, and the page follows.
  const initial = Object.fromEntries(
    SETTINGS.map((setting) => [setting.name, setting.name === "name" ? "Venice" : onWire(setting, setting.initial)]),
  );
  assert.equal((await call(url, owner, "PATCH /realm", initial)).status, 200);
  for (const setting of SETTINGS) {
    const value = setting.name === "name" ? "Venice" : shownValue(setting, setting.initial);
    const label = texts[setting.name]?.label as string;
    await until(async () => {
      if (typeof value === "boolean") return (await switchOf(page, setting.name).isChecked()) === value || undefined;
      return (await page.getByLabel(label, { exact: true }).first().inputValue()) === value || undefined;
    }, `${label} to show ${value}`);
  }
  assert.deepEqual(complaints.filter(isUnexpected), []);
});

test("grants permissions to roles, groups and people", async (t) => {
  const { page, held } = await openWindow(t, "/permissions?open=can_create_groups");
  const label = en.organizationPermissions.who.can_create_groups.label;
  const picker = page.getByRole("combobox", { name: label });
  await picker.and(page.locator(":focus")).waitFor();
  const chosen = page.locator(".mantine-Pill-root", { hasText: en.permissions.roles.members }).first();
  const beyondName = await chosen.evaluate(
    (pill) => pill.clientWidth - (pill.querySelector(".mantine-Pill-label")?.clientWidth ?? 0),
  );
  assert.ok(beyondName < 60, `what is chosen is ${beyondName} px wider than its name`);
  await picker.fill("Hamlet");
  await page.getByRole("option", { name: "Hamlet" }).click();
  const names = async () => {
    const value = (await held())["realm_can_create_groups"] as number | { direct_members: number[] };
    return typeof value === "number" ? [] : value.direct_members;
  };
  await until(async () => ((await names()).length === 1 ? true : undefined), "Hamlet to be named");
  const undo = page.getByRole("button", { name: en.saving.undo });
  await undo.waitFor();
  await closeNotices(page);
  const others = page.getByRole("combobox", {
    name: en.organizationPermissions.who.create_multiuse_invite_group.label,
  });
  await page.getByLabel(en.settings.onlyChanged).check();
  await others.waitFor({ state: "detached" });
  await picker.waitFor();
  await page.getByLabel(en.settings.onlyChanged).uncheck();
  await others.waitFor();
  await page.getByRole("button", { name: uiText("settings.resetNamed", { name: label }) }).click();
  await until(async () => ((await names()).length === 0 ? true : undefined), "the default");
  await undo.click();
  await until(async () => ((await names()).length === 1 ? true : undefined), "what was before the reset");
  await assertAccessible(page, "Permissions");
});

test("creates, orders and removes linkifiers, playgrounds and profile fields", async (t) => {
  const { page, complaints, url, owner } = await openWindow(t, "/linkifiers");
  const linkifiers = async () =>
    (await call(url, owner, "GET /realm/linkifiers"))["linkifiers"] as { pattern: string }[];
  const fields = async () => (await call(url, owner, "GET /realm/profile_fields"))["custom_fields"];

  await page.getByRole("button", { name: en.linkifiers.add }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: en.linkifiers.save }).click();
  await dialog.getByText(en.linkifiers.missingPattern).waitFor();
  await dialog.getByLabel(en.linkifiers.pattern).fill("#(?P<id>[0-9]+");
  await dialog.getByLabel(en.linkifiers.template).fill("https://issues.example.org/{id}");
  await dialog.getByRole("button", { name: en.linkifiers.save }).click();
  await dialog.getByText("Invalid regular expression").waitFor();
  await assertAccessible(page, "a refused linkifier");
  await page.keyboard.press("Escape");
  await dialog.getByText(en.dialog.discardTitle).waitFor();
  await dialog.getByRole("button", { name: en.dialog.goOn }).click();
  await dialog.getByLabel(en.linkifiers.pattern).fill("#(?P<id>[0-9]+)");
  await dialog.getByRole("button", { name: en.linkifiers.save }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("list", { name: en.nav.linkifiers }).getByText("#(?P<id>[0-9]+)").waitFor();
  await page.getByLabel(en.linkifiers.previewText).fill("See #12.");
  assert.equal(await page.getByRole("link", { name: "#12" }).getAttribute("href"), "https://issues.example.org/12");

  // Additions by others appear, and keys change the order.
  const second = { pattern: "T(?P<id>[0-9]+)", url_template: "https://t.example.org/{id}" };
  assert.equal((await call(url, owner, "POST /realm/filters", second)).status, 200);
  await page.getByRole("button", { name: uiText("entries.move", { name: second.pattern }), exact: true }).focus();
  await page.keyboard.press("Space");
  const isOver = (position: number) =>
    page.getByText(
      uiText("dragging.over", { name: second.pattern, over: uiText("entries.place", { position, count: 2 }) }),
    );
  await isOver(2).waitFor();
  await moveDragged(page, "ArrowUp");
  await isOver(1).waitFor();
  await page.keyboard.press("Space");
  await until(
    async () => (await linkifiers())[0]?.pattern === second.pattern || undefined,
    "the second to be the first",
  );
  await page.getByRole("button", { name: uiText("entries.remove", { name: second.pattern }) }).click();
  await page.getByRole("button", { name: en.saving.undo }).click();
  await until(async () => (await linkifiers()).length === 2 || undefined, "the removed one to be back");

  await openFromPalette(page, "new playground", en.playgrounds.add);
  await dialog.getByLabel(en.playgrounds.name).fill("Rust playground");
  await dialog.getByLabel(en.playgrounds.language).fill("Rust");
  await dialog.getByLabel(en.playgrounds.template).fill("https://play.example.org/");
  await dialog.getByRole("button", { name: en.playgrounds.add }).click();
  await dialog.getByText('the variable "code"').waitFor();
  await dialog.getByLabel(en.playgrounds.template).fill("https://play.example.org/?code={code}");
  const opened = dialog.getByRole("link", { name: "Rust playground" });
  assert.equal(await opened.getAttribute("href"), "https://play.example.org/?code=print%28%22Hello%21%22%29");
  await assertAccessible(page, "the preview of a playground");
  await dialog.getByRole("button", { name: en.playgrounds.add }).click();
  await page.getByRole("list", { name: en.nav.playgrounds }).getByText("Rust playground").waitFor();
  await assertAccessible(page, "Playgrounds");
  await openFromPalette(page, "t.example", second.pattern);
  assert.equal(await dialog.getByLabel(en.linkifiers.pattern).inputValue(), second.pattern);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.doesNotMatch(page.url(), /open=/);
  const become = (...wanted: string[]) =>
    until(async () => {
      const shown = await page
        .getByRole("list", { name: en.nav.playgrounds })
        .locator("li > div:first-child")
        .allInnerTexts();
      return shown.map((text) => text.replace(/\s+/g, " ")).join() === wanted.join() || undefined;
    }, wanted.join());
  const other = { name: "Zig", pygments_language: "Zig", url_template: "https://zig.example.org/{code}" };
  await call(url, owner, "POST /realm/playgrounds", other);
  const zig = "Zig Zig https://zig.example.org/{code}";
  await openFromPalette(page, "rust", "Rust playground");
  await assertAccessibleInBothThemes(page, "a playground that the palette opened");
  const save = dialog.getByRole("button", { name: en.playgrounds.save });
  await dialog.getByLabel(en.playgrounds.template).fill("https://play.example.org/none");
  await save.click();
  await dialog.getByText('the variable "code"').waitFor();
  await become("Rust playground Rust https://play.example.org/?code={code}", zig);
  await dialog.getByLabel(en.playgrounds.template).fill("https://run.example.org/{code}");
  await save.click();
  await dialog.waitFor({ state: "hidden" });
  await become("Rust playground Rust https://run.example.org/{code}", zig);
  await page.getByRole("button", { name: uiText("entries.edit", { name: "Rust playground" }) }).click();
  await dialog.getByLabel(en.playgrounds.name).fill("Rust online");
  await save.click();
  await become("Rust online Rust https://run.example.org/{code}", zig);
  await page.getByRole("button", { name: en.saving.undo }).last().click();
  await become("Rust playground Rust https://run.example.org/{code}", zig);

  await openFromPalette(page, "add profile field", en.profileFields.add);
  await dialog.getByRole("combobox", { name: en.profileFields.type }).click();
  await page.getByRole("option", { name: en.profileFields.types["3"] }).click();
  await dialog.getByLabel(en.profileFields.name).fill("Boat");
  await dialog.getByLabel(en.profileFields.options).fill("Eight\nFour\nSingle");
  await dialog.getByRole("group", { name: en.profileFields.preview }).getByRole("combobox", { name: "Boat" }).click();
  await page.getByRole("option", { name: "Four" }).click();
  await assertAccessible(page, "a new profile field");
  await dialog.getByRole("button", { name: en.profileFields.save }).click();
  await page.getByRole("list", { name: en.nav.profileFields }).getByText("Boat").waitFor();
  const [field] = (await fields()) as { id: number; field_data: string }[];
  assert.deepEqual(
    Object.values(JSON.parse(field?.field_data as string) as Record<string, { text: string }>).map(({ text }) => text),
    ["Eight", "Four", "Single"],
  );
  await page.getByRole("link", { name: en.nav.emoji }).click();
  await openFromPalette(page, "boat profile", "Boat");
  assert.equal(await dialog.getByLabel(en.profileFields.name).inputValue(), "Boat");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await call(url, owner, "PATCH /users/me/profile_data", { data: [{ id: field?.id, value: "0" }] });
  await page.getByRole("button", { name: uiText("entries.edit", { name: "Boat" }) }).click();
  await dialog.getByLabel(en.profileFields.options).fill("Four\nSingle");
  await dialog.getByText(uiText("profileFields.optionRemoved", { from: "Eight", count: 1 })).waitFor();
  await dialog.getByLabel(en.profileFields.options).fill("Eight with cox\nFour\nSingle");
  await dialog
    .getByText(uiText("profileFields.optionRenamed", { from: "Eight", to: "Eight with cox", count: 1 }))
    .waitFor();
  await assertAccessible(page, "a renamed option");
  await dialog.getByRole("button", { name: en.profileFields.save }).click();
  await dialog.waitFor({ state: "hidden" });
  const self = await call(url, owner, `GET /users/${owner.id}`, { include_custom_profile_fields: true });
  assert.equal(self["user"].profile_data[field?.id as number].value, "0");
  await page.getByRole("button", { name: uiText("entries.remove", { name: "Boat" }) }).click();
  await dialog.getByText(uiText("profileFields.consequences", { count: 1 })).waitFor();
  assert.equal(await dialog.getByRole("button", { name: en.profileFields.delete }).isDisabled(), true);
  await dialog.getByLabel(uiText("confirm.type", { name: "Boat" })).fill("Boat");
  await dialog.getByRole("button", { name: en.profileFields.delete }).click();
  await page.getByText(en.profileFields.empty).waitFor();
  assert.deepEqual(await fields(), []);
  assert.deepEqual(complaints.filter(isUnexpected), []);
});

test("adds and deactivates emoji", async (t) => {
  const { page, complaints } = await openWindow(t, "/emoji");
  await page.getByText(en.emoji.empty).waitFor();
  await openFromPalette(page, "add emoji", en.emoji.add);
  const dialog = page.getByRole("dialog");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    dialog.getByRole("button", { name: en.emoji.choose }).click(),
  ]);
  await chooser.setFiles({ name: "boat.gif", mimeType: "image/gif", buffer: MOVING_GIF });
  await dialog.getByLabel(en.emoji.name).fill("Our Boat!");
  await dialog.getByRole("button", { name: en.emoji.add }).click();
  await dialog.getByLabel(en.emoji.name).and(page.locator("[aria-invalid=true]")).waitFor();
  await assertAccessible(page, "a refused emoji");
  await dialog.getByLabel(en.emoji.name).fill("our_boat");
  await dialog.getByRole("button", { name: en.emoji.add }).click();
  await page.getByRole("list", { name: en.nav.emoji }).getByText(":our_boat:").waitFor();
  await page.getByRole("link", { name: en.nav.linkifiers }).click();
  await openFromPalette(page, "our_b", ":our_boat:");
  await page.locator("[data-target=true]:focus", { hasText: ":our_boat:" }).waitFor();
  await page.getByRole("button", { name: uiText("emoji.deactivateNamed", { name: "our_boat" }) }).click();
  await dialog.getByRole("button", { name: en.emoji.deactivate }).click();
  await page.getByText(en.emoji.empty).waitFor();
  await page.getByText(en.emoji.deactivated, { exact: true }).click();
  await page.getByRole("list", { name: en.nav.emoji }).getByText(":our_boat:").waitFor();
  await page.getByRole("searchbox", { name: en.emoji.search }).fill("skiff");
  await page.getByText(en.emoji.none).waitFor();
  await page.getByRole("searchbox", { name: en.emoji.search }).fill("");
  await page.getByRole("link", { name: en.nav.linkifiers }).click();
  await openFromPalette(page, "deactivated emoji boat", ":our_boat:");
  await page.locator("[data-target=true]:focus", { hasText: ":our_boat:" }).waitFor();
  assert.deepEqual(complaints.filter(isUnexpected), []);
});

test("settings pages are accessible in both themes and fit", async (t) => {
  const { page, complaints } = await openWindow(t, "/organization");
  for (const [path, heading] of [
    ["/organization", en.organization.title],
    ["/permissions", en.nav.permissions],
    ["/emoji", en.nav.emoji],
    ["/linkifiers", en.nav.linkifiers],
    ["/profile-fields", en.nav.profileFields],
  ]) {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, path as string);
    await page
      .getByRole("main")
      .getByRole("heading", { name: heading as string, exact: true })
      .waitFor();
    await assertAccessibleInBothThemes(page, heading as string);
    await page.setViewportSize({ width: 360, height: 740 });
    await assertFits(page, `${heading} at 360 px`);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(en.shell.paletteHint).fill("invitation links");
  await page.keyboard.press("Enter");
  await page
    .getByRole("combobox", { name: en.organizationPermissions.who.create_multiuse_invite_group.label })
    .and(page.locator(":focus"))
    .waitFor();
  assert.deepEqual(complaints.filter(isUnexpected), []);
});
