import assert from "node:assert/strict";
import test from "node:test";
import i18next from "i18next";
import { beginningWith, changesOnPage, mainFirst, type Names } from "../../ui/admin/parts/audit-changes.ts";
import type { AuditEntry } from "../../ui/admin/parts/audit-entry.ts";
import { settingSearchText } from "../../ui/admin/parts/setting-labels.ts";
import { NEW_MEMBER_SECTIONS } from "../../ui/admin/settings/new-member-settings.ts";
import { ORGANIZATION_SECTIONS } from "../../ui/admin/settings/organization-settings.ts";
import { PERMISSION_SECTIONS } from "../../ui/admin/settings/permission-settings.ts";
import type { Setting } from "../../ui/admin/settings/setting.ts";
import { settingKind } from "../../ui/locales/audit-values.ts";
import { targetName } from "../../ui/locales/audit-words.ts";
import { adminPageTexts as german } from "../../ui/locales/de-admin-pages.ts";
import { adminWindowTexts } from "../../ui/locales/en-admin.ts";
import { adminPageTexts } from "../../ui/locales/en-admin-pages.ts";
import { addTexts, textAt } from "../../ui/locales/i18n.ts";

// What the audit says of changes is what the pages call them.

await addTexts({ ...adminWindowTexts, ...adminPageTexts }, async () => german);
i18next.addResourceBundle("de", "translation", german);

const NAMES: Names = {
  users: { 5: "Hamlet" },
  channels: { 8: "stage" },
  groups: [
    { id: 1, name: "role:moderators" },
    { id: 2, name: "crew" },
  ],
  folders: [{ id: 3, name: "House" }],
  profileFields: [{ id: 4, name: "Pronouns" }],
};

const entry = (action: string, target: string, before: unknown, after: unknown): AuditEntry => ({
  id: 1,
  act_id: 1,
  at: 0,
  actor: null,
  action,
  target,
  target_name: null,
  before,
  after,
  origin: "api",
});

const said = (...about: Parameters<typeof entry>) =>
  changesOnPage(entry(...about), NAMES, i18next.t).map(({ field, from, to }) => [field, from, to]);

test("the audit names a setting as its page does", () => {
  const nameOf = (target: string) => targetName(entry("change setting", target, 1, 2), textAt);
  for (const { id } of ORGANIZATION_SECTIONS.flatMap(({ settings }) => settings))
    assert.equal(nameOf(`organization setting ${id}`), i18next.t(`organization.${id}.label`));
  for (const id of PERMISSION_SECTIONS.flatMap(({ permissions }) => permissions))
    assert.equal(nameOf(`organization setting ${id}`), i18next.t(`organizationPermissions.who.${id}`));
  for (const { id } of NEW_MEMBER_SECTIONS.flatMap(({ settings }) => settings))
    assert.equal(nameOf(`default setting ${id}`), i18next.t(`newMembers.settings.${id}.label`));
  assert.equal(nameOf("organization picture night_logo"), "Logo for dark pages");
  assert.equal(nameOf("organization setting of_another_version"), "of another version");
  assert.equal(nameOf("export hearth-export-1-2026-01-01.tar"), "hearth-export-1-2026-01-01.tar");
});

test("the audit shows the values of a setting as its control does", () => {
  const change = "change organization setting";
  const values: [id: string, before: unknown, after: unknown, from: string, to: string][] = [
    ["org_type", 0, 10, "Not said", "Business"],
    ["message_content_edit_limit_seconds", 600, null, "For 10 minutes", "At any time"],
    ["message_retention_days", -1, 30, "For ever", "For 30 days"],
    ["signup_announcements_stream_id", -1, 8, "No channel", "stage"],
    ["default_language", "en", "de", "English", "Deutsch"],
    ["invite_required", true, false, "on", "off"],
    ["can_create_groups", 1, { direct_members: [5], direct_subgroups: [2] }, "Moderators and above", "Hamlet, crew"],
    ["description", "", "An island", "nothing", "An island"],
  ];
  for (const [id, before, after, from, to] of values)
    assert.deepEqual(said(change, `organization setting ${id}`, before, after), [["", from, to]], id);
  const theme = said("change default setting", "default setting color_scheme", 1, 2);
  assert.deepEqual(theme, [["", "As the system", "Dark"]]);
});

test("the audit knows how each setting shows its values", () => {
  const settings = ORGANIZATION_SECTIONS.flatMap(({ settings }): readonly Setting[] => settings);
  for (const { id, kind } of settings) {
    const isNamed = kind.type === "switch" || kind.type === "choice";
    const isOther = isNamed || kind.type === "text" || kind.type === "address" || kind.type === "number";
    assert.equal(settingKind(id), isOther ? undefined : kind.type, id);
  }
  const people = { direct_members: [5], direct_subgroups: [] };
  for (const id of PERMISSION_SECTIONS.flatMap(({ permissions }) => permissions)) {
    const [change] = said("change organization setting", `organization setting ${id}`, 1, people);
    assert.deepEqual(change, ["", "Moderators and above", "Hamlet"], id);
  }
});

test("the audit has words for the fields of what was changed", async () => {
  const channel = {
    folder_id: null,
    message_retention_days: null,
    topics_policy: "inherit",
    can_send_message_group: 1,
  };
  const changed = {
    folder_id: 3,
    message_retention_days: 7,
    topics_policy: "empty_topic_only",
    can_send_message_group: 2,
  };
  assert.deepEqual(said("change channel", "channel 8", channel, changed), [
    ["Folder", "nothing", "House"],
    ["Messages are kept", "As the organization says", "For 7 days"],
    ["Topics", "As the organization says", "Without topics"],
    ["Post", "Moderators and above", "crew"],
  ]);
  assert.deepEqual(said("change profile", "user 5", { 4: "" }, { 4: "he" }), [["Pronouns", "nothing", "he"]]);
  assert.deepEqual(said("make export", "export x.tar", null, { type: 2 }), [
    ["Kind", undefined, "Also what people agreed to"],
  ]);
  assert.deepEqual(said("reorder channel folders", "channel folders", [3], [3, 9]), [["", "House", "House, folder 9"]]);
  assert.deepEqual(said("change user group", "user group 2", { can_mention_group: 1 }, { can_mention_group: 2 }), [
    ["Who may mention it", "Moderators and above", "crew"],
  ]);
  assert.deepEqual(said("subscribe users", "channel 8", null, [5, 6]), [["", undefined, "Hamlet, person 6"]]);
  const hamlet = { full_name: "Hamlet", role: 400 };
  assert.deepEqual(said("deactivate user", "user 5", hamlet, null), [], "nothing is struck out");
  await i18next.changeLanguage("de");
  assert.deepEqual(said("change channel", "channel 8", { folder_id: null }, { folder_id: 3 }), [
    ["Ordner", "nichts", "House"],
  ]);
  await i18next.changeLanguage("en");
});

test("a setting is found by its label, its help, other words and its name for programs", () => {
  const text = settingSearchText("organization setting", "message_retention_days");
  for (const word of ["how long messages", "for good", "expire", "retention days"])
    assert.ok(text.includes(word), word);
  assert.match(settingSearchText("default setting", "color_scheme"), /^colours .*color scheme$/);
  assert.match(settingSearchText("organization setting", "can_create_groups"), /^who may create groups\? .*groups$/);
});

test("a person's history begins each act with what it did to them", () => {
  const [made, owner, channel] = ["organization", "user 1", "channel 2"].map((target) => ({ action: "make", target }));
  const act = { ...made!, more: [owner!, channel!] };
  assert.deepEqual(beginningWith(1, act), { ...owner, more: [made, channel] });
  assert.equal(beginningWith(7, act), act, "of an act that only its page knows to be about them");
  const subscribed = { action: "subscribe users", target: "channel 2", after: [3, 7] };
  assert.deepEqual(beginningWith(7, { ...channel!, more: [subscribed] }), { ...subscribed, more: [channel] });
});

test("an act begins with the deactivation, not with what that takes away", () => {
  const [left, bot, person] = [
    { action: "change members of user group", target: "user group 9" },
    { action: "deactivate user", target: "user 4" },
    { action: "deactivate user", target: "user 3" },
  ] as const;
  assert.deepEqual(mainFirst({ ...left, more: [bot, person] }), { ...person, more: [left, bot] });
  const alone = { ...left, more: [] };
  assert.equal(mainFirst(alone), alone);
});
