/// <reference lib="dom" />
import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { adminWindow, channelNamed, channelOnce, undo } from "../support/admin-window.ts";
import { assertAccessible, assertAccessibleInBothThemes, assertFits, closeNotices } from "../support/browser.ts";
import { until } from "../support/patience.ts";

const drawer = (page: Page) => page.getByRole("dialog").first();
const dialog = (page: Page) => page.getByRole("dialog").last();
const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

test("a channel is made, set, filled, emptied and archived in the window", async (t) => {
  const { page, complaints, owner, hamlet, othello } = await adminWindow(t, "/channels");

  await t.test("an empty organization says how to begin", async () => {
    await page.getByText("There is no channel yet").waitFor();
    await assertAccessible(page, "no channels");
  });

  await t.test("a channel is created for chosen people, from the palette", async () => {
    await page.keyboard.press("Control+K");
    await page.getByPlaceholder("A person, a channel").fill("create a chan");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").fill("boathouse");
    const members = page.getByRole("radio", { checked: true });
    const choose = async (kind: string) => {
      await page.getByRole("combobox", { name: "Who can read it" }).click();
      await page.getByRole("option", { name: kind, exact: true }).click();
    };
    await choose("Private");
    await members.and(page.getByLabel("People I choose")).waitFor();
    await choose("Public");
    await members.and(page.getByLabel("Everybody but guests")).waitFor();
    await page.getByRole("radio", { name: "Only me for now" }).check();
    await choose("Private");
    await members.and(page.getByLabel("Only me for now")).waitFor();
    await choose("Public");
    await page.getByRole("radio", { name: "People I choose" }).check();
    await page
      .getByPlaceholder("Names of people")
      .or(page.getByRole("combobox", { name: "People" }))
      .first()
      .fill("Ham");
    await page.getByRole("option", { name: "Hamlet" }).click();
    await page.keyboard.press("Escape");
    await assertAccessible(page, "creating a channel");
    await page.getByRole("button", { name: "Create it" }).click();
    await drawer(page).getByRole("heading", { name: "boathouse" }).waitFor();
    assert.equal((await channelNamed(owner, "boathouse"))?.["subscriber_count"], 2);
    await page.keyboard.press("Escape");
  });

  await t.test("a name that is taken is refused at its field", async () => {
    await page.getByRole("button", { name: "Create a channel" }).click();
    await page.getByLabel("Name").fill("BOATHOUSE");
    await page.keyboard.press("Enter");
    await page.getByText("There is a channel of this name already.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
  });

  await t.test("what somebody else makes appears, and is found and filtered", async () => {
    await owner("POST /users/me/subscriptions", {
      subscriptions: [{ name: "board", description: "**Minutes.**" }],
      invite_only: true,
    });
    await page.getByRole("row", { name: "board" }).getByText("Minutes.", { exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("minutes");
    await page.getByText("1 of 2").waitFor();
    await page.getByRole("searchbox", { name: "Search Channels" }).fill("");
    await page.getByRole("button", { name: "Kind" }).first().click();
    await page.getByRole("checkbox", { name: "Public" }).check();
    await page.getByText("1 of 2").waitFor();
    assert.match(page.url(), /kind=public/);
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "boathouse" }).press("Enter");
  });

  await t.test("settings save at once, and go back where the server refuses", async () => {
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("board");
    await name.press("Enter");
    await page.getByText(/already/).waitFor();
    await until(async () => ((await name.inputValue()) === "boathouse" ? true : undefined), "the name that holds");
    const description = page.getByRole("textbox", { name: "Description" });
    await description.fill("Keys and repairs.");
    await description.press("Enter");
    await channelOnce(owner, "boathouse", ({ description: text }) => text === "Keys and repairs.");
    await undo(page, "Saved: Description");
    await channelOnce(owner, "boathouse", ({ description: text }) => text === "");
    await page.getByRole("switch", { name: "Whoever joins later" }).check();
    await until(
      async () => ((await owner("POST /register"))["realm_default_streams"].length === 1 ? true : undefined),
      "a default channel",
    );
  });

  await t.test("keeping messages for a shorter time asks first", async () => {
    await closeNotices(page);
    await page.getByRole("combobox", { name: "Messages are kept" }).click();
    await page.getByRole("option", { name: "A number of days" }).click();
    await page.getByRole("textbox", { name: "Days" }).fill("30");
    await page.getByText("Messages older than 30 days will be deleted").waitFor();
    await page.getByText("No message is that old now.").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await channelOnce(owner, "boathouse", ({ message_retention_days: days }) => days === 30);
  });

  await t.test("the page says who could read the channel, and why", async () => {
    await page.getByRole("button", { name: "Who could read this?" }).click();
    await page.getByText("Othello: yes").waitFor();
    await page.getByText("the channel is public").first().waitFor();
    await assertAccessible(page, "who could read it");
    await page.keyboard.press("Escape");
  });

  await t.test("letting more people read asks first", async () => {
    await closeNotices(page);
    await page.getByRole("combobox", { name: "Who can read it" }).click();
    await page.getByRole("option", { name: "Private", exact: true }).click();
    await page.getByText("A default channel cannot be made private.").waitFor();
    await page.getByRole("switch", { name: "Whoever joins later" }).uncheck();
    await until(
      async () => ((await owner("POST /register"))["realm_default_streams"].length === 0 ? true : undefined),
      "no default channel",
    );
    await page.getByRole("combobox", { name: "Who can read it" }).click();
    await page.getByRole("option", { name: "Private", exact: true }).click();
    await channelOnce(owner, "boathouse", ({ invite_only }) => invite_only === true);
    await page.getByText("2 people could read it.").waitFor();
    await page.getByRole("combobox", { name: "Who can read it" }).click();
    await page.getByRole("option", { name: "Public" }).click();
    await page.getByText("4 people will be able to read everything").waitFor();
    await page.getByRole("button", { name: "Make it public" }).click();
    await channelOnce(owner, "boathouse", ({ invite_only }) => invite_only === false);
    await assertAccessibleInBothThemes(page, "a channel's settings");
  });

  await t.test("a permission is given by keys, and says who that is", async () => {
    await openTab(page, "Permissions");
    const post = page.getByRole("textbox", { name: "Post", exact: true });
    await post.fill("administrators");
    await post.press("ArrowDown");
    await post.press("Enter");
    await page.getByText("That is Owner.").first().waitFor();
    await post.fill("othello");
    await post.press("ArrowDown");
    await post.press("Enter");
    await page.getByText("That is Owner and Othello.").waitFor();
    await post.press("Escape");
    const { can_send_message_group: value } = (await channelOnce(
      owner,
      "boathouse",
      ({ can_send_message_group: held }) => typeof held === "object",
    )) as { can_send_message_group: { direct_members: number[] } };
    assert.deepEqual(value.direct_members.length, 1);
    await page.getByRole("button", { name: "Who could? Post" }).click();
    await page.getByLabel("Could somebody? Type a name").fill("ham");
    await page.getByText("Hamlet: no").waitFor();
    await page.keyboard.press("Escape");
    await assertAccessibleInBothThemes(page, "a channel's permissions");
    const everyone = (await owner("GET /user_groups", {}))["user_groups"].find(
      ({ name }: { name: string }) => name === "role:everyone",
    );
    const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
    await owner(`PATCH /streams/${stream_id}`, { can_send_message_group: { new: everyone.id } });
    await page.getByText("That is Owner and Othello.").waitFor({ state: "detached" });
  });

  await t.test("people are added by group, removed together, and the removal undone", async () => {
    await openTab(page, "Subscribers");
    await page.getByRole("button", { name: "Add people" }).click();
    await page.getByRole("combobox", { name: "People" }).fill("oth");
    await page.getByRole("option", { name: "Othello" }).click();
    await page.keyboard.press("Escape");
    await assertAccessible(page, "adding people");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("checkbox", { name: "Othello" }).check();
    await page.getByRole("checkbox", { name: "Hamlet" }).check();
    await page.getByRole("button", { name: "Remove 2 people" }).click();
    await dialog(page).getByRole("button", { name: "Remove 2 people" }).click();
    await page.getByText("1 subscriber", { exact: true }).waitFor();
    await undo(page, "Removed 2 people");
    await page.getByText("3 subscribers", { exact: true }).waitFor();
    await assertAccessibleInBothThemes(page, "a channel's subscribers");
    const { subscriber_count } = (await channelNamed(owner, "boathouse")) as { subscriber_count: number };
    assert.equal(subscriber_count, 3);
  });

  await t.test(
    "a channel leads to its subscribers and the chat, and a person to their channels and a message",
    async () => {
      const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
      const inChat = drawer(page).getByRole("link", { name: "Open in chat" });
      assert.equal(await inChat.getAttribute("href"), `/#narrow/channel/${stream_id}`);
      await drawer(page).getByRole("link", { name: "Open Othello" }).click();
      await drawer(page).getByRole("heading", { name: "Othello" }).waitFor();
      const message = drawer(page).getByRole("link", { name: "Message" });
      assert.match((await message.getAttribute("href")) ?? "", /^\/#narrow\/dm\/\d+-dm$/);
      await openTab(page, "Channels");
      await drawer(page).getByRole("link", { name: "boathouse" }).click();
      await drawer(page).getByRole("heading", { name: "boathouse" }).waitFor();
    },
  );

  await t.test("a topic is renamed, resolved and deleted", async () => {
    for (const content of ["one", "two"])
      await hamlet("POST /messages", { type: "stream", to: "boathouse", topic: "roof", content });
    await openTab(page, "Topics");
    await page.getByRole("button", { name: "Actions for roof" }).waitFor();
    // What is written meanwhile appears.
    await othello("POST /messages", { type: "stream", to: "boathouse", topic: "keys", content: "three" });
    await page.getByRole("button", { name: "Actions for keys" }).waitFor();
    await page.getByRole("button", { name: "Actions for roof" }).click();
    await page.getByRole("menuitem", { name: "Rename or move" }).click();
    await page.getByRole("textbox", { name: "Topic" }).fill("leaking roof");
    await assertAccessible(page, "moving a topic");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Actions for leaking roof" }).click();
    await page.getByRole("menuitem", { name: "Mark as resolved" }).click();
    await page.getByRole("button", { name: "Actions for ✔ leaking roof" }).waitFor();
    await assertAccessible(page, "a channel's topics");
    const resolved = page.getByRole("alert").filter({ hasText: "leaking roof is resolved" });
    await resolved.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Actions for leaking roof", exact: true }).waitFor();
    await page.getByRole("button", { name: "Actions for keys" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("1 message is deleted for everybody.").waitFor();
    // A large topic takes several calls; here the first one ends without having deleted anything.
    const seen = Promise.withResolvers<void>();
    let calls = 0;
    await page.route("**/delete_topic", async (route) => {
      calls += 1;
      if (calls === 1) return route.fulfill({ json: { result: "success", msg: "", complete: false } });
      await seen.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Delete the topic" }).click();
    await page.getByText("1 message left").waitFor();
    assert.equal(
      await page.getByRole("progressbar", { name: "How much is deleted" }).getAttribute("aria-valuenow"),
      "0",
    );
    seen.resolve();
    await page.getByRole("button", { name: "Actions for keys" }).waitFor({ state: "detached" });
    assert.equal(calls, 2);
    const { stream_id } = (await channelNamed(owner, "boathouse")) as { stream_id: number };
    const { topics } = await owner(`GET /users/me/${stream_id}/topics`);
    assert.ok(!(topics as { name: string }[]).some(({ name }) => name === "keys"));
  });

  await t.test("archiving says what ends, takes the typed name, and can be taken back", async () => {
    await closeNotices(page);
    await openTab(page, "Settings");
    await page.getByRole("button", { name: "Archive boathouse…" }).click();
    await page.getByText("3 subscribers can no longer write in it.").waitFor();
    const confirm = page.getByRole("button", { name: "Archive boathouse", exact: true });
    assert.equal(await confirm.isDisabled(), true);
    await page.getByLabel("To confirm, type boathouse").fill("boathouse");
    await assertAccessible(page, "archiving");
    await confirm.click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await closeNotices(page);
    await page.getByRole("button", { name: "Bring it back" }).click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
  });

  await t.test("several channels are changed together, and it says which were refused", async () => {
    await closeNotices(page);
    await page.evaluate(() => {
      location.hash = "/channels"; // without the drawer and the filter
    });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await owner("POST /channel_folders/create", { name: "Ashore", description: "" });
    for (const name of ["boathouse", "board"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await page.getByRole("button", { name: "Put into a folder" }).click();
    await dialog(page).getByRole("combobox", { name: "Folder" }).click();
    await page.getByRole("option", { name: "Ashore" }).click();
    await assertAccessible(page, "putting several channels into a folder");
    await dialog(page).getByRole("button", { name: "Put into a folder" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" }); // and with it the selection
    for (const name of ["boathouse", "board"])
      await channelOnce(owner, name, ({ folder_id }) => typeof folder_id === "number");
    await page.keyboard.press("Control+Z");
    for (const name of ["boathouse", "board"]) await channelOnce(owner, name, ({ folder_id }) => folder_id === null);
    for (const name of ["boathouse", "board"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    const whoPosts = async (name: string) => (await channelNamed(owner, name))?.["can_send_message_group"];
    const before = { boathouse: await whoPosts("boathouse"), board: await whoPosts("board") };
    await page.getByRole("button", { name: "Change a permission" }).click();
    await dialog(page).getByRole("textbox", { name: "Post" }).fill("Moderators");
    await page.getByRole("option", { name: "Moderators and above" }).click();
    await page.keyboard.press("Tab"); // closes the list
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await assertAccessibleInBothThemes(page, "a permission of several channels");
    await dialog(page).getByRole("button", { name: "Change a permission" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const moderators = (await owner("GET /user_groups"))["user_groups"] as { id: number; name: string }[];
    const id = moderators.find(({ name }) => name === "role:moderators")?.id;
    for (const name of ["boathouse", "board"])
      await channelOnce(owner, name, ({ can_send_message_group: group }) => group === id);
    await page.keyboard.press("Control+Z");
    for (const name of ["boathouse", "board"] as const)
      await channelOnce(owner, name, ({ can_send_message_group: group }) => isDeepStrictEqual(group, before[name]));
    for (const name of ["boathouse", "board"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await dialog(page).getByText("Nobody can write there any more.").waitFor();
    // Somebody else is faster with one of them.
    const { stream_id } = (await channelNamed(owner, "board")) as { stream_id: number };
    await page.route("**/streams/*", async (route) => {
      if (route.request().method() === "DELETE" && route.request().url().endsWith(`/${stream_id}`))
        return route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "Not this one." } });
      return route.continue();
    });
    await dialog(page).getByRole("button", { name: "Archive", exact: true }).click();
    await dialog(page).getByText("Not this one.").waitFor();
    await dialog(page).getByRole("button", { name: "Close" }).last().click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await page.keyboard.press("Control+Z");
    const boathouse = await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
    assert.equal((await channelNamed(owner, "board"))?.["is_archived"], false, "what was not archived stays as it is");
    await owner(`DELETE /streams/${boathouse["stream_id"]}`);
    await page.getByLabel("Show 1 archived").or(page.getByRole("switch")).first().click();
    await page.getByRole("checkbox", { name: "Select boathouse" }).check();
    await page.getByRole("button", { name: "Bring back" }).click();
    await dialog(page).getByRole("button", { name: "Bring back" }).click();
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === false);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+Z");
    await channelOnce(owner, "boathouse", ({ is_archived }) => is_archived === true);
    await owner(`PATCH /streams/${boathouse["stream_id"]}`, { is_archived: false });
    await page.getByRole("row", { name: "boathouse" }).press("Enter");
  });

  await t.test("it fits on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const tab of ["Settings", "Permissions", "Topics", "Subscribers"]) {
      await openTab(page, tab);
      await assertFits(page, tab);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: "boathouse" }).waitFor();
    await assertFits(page, "the channels");
  });

  // The refused rename is logged by the browser.
  assert.deepEqual(
    complaints.filter((text) => !text.includes("400")),
    [],
  );
});
