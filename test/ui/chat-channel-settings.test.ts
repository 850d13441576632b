import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { assertAccessible, assertAccessibleInBothThemes, assertFits, assertNone } from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call } from "../support/server-process.ts";
import { uiText } from "../support/ui-texts.ts";
import { CLEO, enter, GUEST, OWNER, startVenue } from "../support/venue.ts";

// Channel administrators set its folder, retention and permissions on the chat page.

const dialog = (page: Page) => page.getByRole("dialog").first();
const settings = (page: Page) =>
  dialog(page).getByRole("button", { name: en.channelDialog.sections.settings, exact: true });

test("permitted users change a channel's folder, retention and permissions", async (t) => {
  const venue = await startVenue(t);
  const { url, owner, cleo, channelId } = venue;
  const { channel_folder_id: folder } = await call(url, owner, "POST /channel_folders/create", {
    name: "Waterside",
    description: "",
  });
  await venue.say(owner, "Mind the tide");
  const channel = async () =>
    (await call(url, owner, "GET /streams", { include_all: true }))["streams"].find(
      ({ stream_id }: { stream_id: number }) => stream_id === channelId,
    );
  const once = (holds: (held: any) => boolean, what: string) =>
    until(async () => holds(await channel()) || undefined, what);
  const open = async (page: Page) => {
    await page.getByRole("button", { name: en.channelDialog.open }).click();
    await dialog(page).getByRole("button", { name: en.channelDialog.sections.about, exact: true }).waitFor();
  };
  const hash = `#narrow/channel/${channelId}-harbour`;
  const [{ page, complaints }, member, guest] = [
    await enter(t, venue, OWNER, hash),
    await enter(t, venue, CLEO, hash),
    await enter(t, venue, GUEST, hash),
  ];

  // Other users get no controls, and the server refuses them anyway.
  for (const { page: outside } of [member, guest]) {
    await open(outside);
    await assertNone(settings(outside));
  }
  const nobody = JSON.stringify({ new: 1 });
  for (const change of [{ folder_id: folder }, { message_retention_days: 30 }, { can_send_message_group: nobody }])
    assert.equal((await call(url, cleo, `PATCH /streams/${channelId}`, change)).status, 400, JSON.stringify(change));
  assert.equal((await channel())["folder_id"], null);

  // Members see who can post.
  const { can_send_message_group: before } = await channel();
  const onlyOwner = { direct_members: [owner.id], direct_subgroups: [] };
  const setPosters = async (from: unknown, to: unknown) => {
    const change = { can_send_message_group: JSON.stringify({ old: from, new: to }) };
    assert.equal((await call(url, owner, `PATCH /streams/${channelId}`, change)).status, 200);
  };
  await setPosters(before, onlyOwner);
  await member.page.getByText(uiText("writing.closed.only", { names: "Owner", count: 1 })).waitFor();
  await setPosters(onlyOwner, before);

  await open(page);
  await settings(page).click();
  await dialog(page).getByRole("combobox", { name: en.channels.fields.folder }).click();
  await page
    .getByRole("option", {
      name: "Waterside",
      description: "",
    })
    .click();
  await once(({ folder_id }) => folder_id === folder, "the folder");
  await page.getByText(uiText("saving.savedNamed", { name: en.channels.fields.folder })).waitFor();
  await assertAccessibleInBothThemes(page, "a channel's settings in the chat", "light");
  await page.getByRole("button", { name: en.saving.undo }).click();
  await once(({ folder_id }) => folder_id === null, "the folder to be undone");

  await dialog(page).getByRole("combobox", { name: en.channels.columns.retention }).click();
  await page.getByRole("option", { name: en.channels.retention.choose }).click();
  const days = page.getByRole("dialog").last();
  await days.getByLabel(en.channels.retention.days).fill("30");
  await days.getByText(en.expiring.none).waitFor();
  await assertAccessible(page, "choosing for how long messages are kept");
  await days.getByRole("button", { name: en.channels.save }).click();
  await once(({ message_retention_days }) => message_retention_days === 30, "the retention");

  const administer = dialog(page).getByRole("combobox", {
    name: en.channels.permissions.can_administer_channel_group.label,
    exact: true,
  });
  await administer.fill("cleo");
  await administer.press("Enter");
  await once(({ can_administer_channel_group: held }) => held?.direct_members?.length > 0, "who administers");

  // The controls appear with the permission, except for the owners' ones.
  await settings(member.page).click();
  const kept = dialog(member.page).getByRole("combobox", { name: en.channels.columns.retention });
  await kept.waitFor();
  assert.equal(await kept.isDisabled(), true);
  await dialog(member.page).getByText(en.channels.retention.ownersOnly).waitFor();
  const post = dialog(member.page).getByRole("combobox", {
    name: en.channels.permissions.can_send_message_group.label,
    exact: true,
  });
  await post.fill("moderators");
  await post.press("Enter");
  await once(({ can_send_message_group: held }) => held !== 1 && typeof held === "number", "who posts");
  await dialog(page)
    .getByText(uiText("permissions.inEffect", { who: "Owner" }))
    .first()
    .waitFor();
  for (const width of [320, 1280]) {
    await member.page.setViewportSize({ width, height: 800 });
    await assertFits(member.page, `a channel's settings at ${width}`);
  }
  await assertNone(settings(guest.page));

  // Losing the permission returns to the general view.
  await dialog(page)
    .getByRole("button", { name: uiText("picker.remove", { name: "Cleo Patra" }) })
    .click();
  await settings(member.page).waitFor({ state: "detached" });
  await dialog(member.page)
    .getByText(uiText("channelDialog.madeBy", { name: "Owner" }))
    .waitFor();
  assert.deepEqual([...complaints, ...member.complaints, ...guest.complaints], []);
});
