import assert from "node:assert/strict";
import test from "node:test";
import i18next from "i18next";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { settingKind } from "../../server/locales/audit-values.ts";
import { targetName } from "../../server/locales/audit-words.ts";
import { beginningWith, changesOnPage, mainFirst, type Names } from "../../ui/admin/parts/audit-changes.ts";
import type { AuditEntry } from "../../ui/admin/parts/audit-entry.ts";
import { settingSearchText } from "../../ui/admin/parts/setting-labels.ts";
import { de } from "../../ui/locales/de/all.ts";
import { texts as german } from "../../ui/locales/de/bundles/admin-pages.ts";
import { en } from "../../ui/locales/en.ts";
import { adminWindowTexts } from "../../ui/locales/en-admin.ts";
import { adminPageTexts } from "../../ui/locales/en-admin-pages.ts";
import { addTexts, textAt } from "../../ui/locales/i18n.ts";
import { settingsIn } from "../../ui/parts/settings/setting-tables.ts";
import { uiText } from "../support/ui-texts.ts";

// The audit describes changes with the texts of the pages.

const TABLES = settingTables();

await addTexts({ ...adminWindowTexts, ...adminPageTexts }, async () => ({ texts: german }));
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
  for (const { name } of settingsIn(TABLES.organization))
    assert.equal(nameOf(`organization setting ${name}`), textAt(`organization.${name}.label`));
  for (const { name } of settingsIn(TABLES.permissions))
    assert.equal(nameOf(`organization setting ${name}`), textAt(`organizationPermissions.who.${name}.label`));
  for (const { name } of settingsIn(TABLES.new_members))
    assert.equal(nameOf(`default setting ${name}`), textAt(`userSettings.${name}.label`));
  assert.equal(nameOf("organization picture night_logo"), en.organization.pictures.nightLogo);
  assert.equal(nameOf("organization setting of_another_version"), "of another version");
  assert.equal(nameOf("export hearth-export-1-2026-01-01.tar"), "hearth-export-1-2026-01-01.tar");
});

test("the audit shows a setting's values as its control does", () => {
  const change = "change organization setting";
  const values: [id: string, before: unknown, after: unknown, from: string, to: string][] = [
    ["org_type", 0, 10, en.organization.org_type.choices["0"], en.organization.org_type.choices["10"]],
    ["message_content_edit_limit_seconds", 600, null, uiText("settings.minutes", { count: 10 }), en.settings.always],
    ["message_retention_days", -1, 30, en.settings.never, uiText("settings.forDays", { count: 30 })],
    ["signup_announcements_stream_id", -1, 8, en.settings.noChannel, "stage"],
    ["default_language", "en", "de", "English", "Deutsch"],
    ["invite_required", true, false, en.auditPage.on, en.auditPage.off],
    [
      "can_create_groups",
      1,
      { direct_members: [5], direct_subgroups: [2] },
      en.permissions.roles.moderators,
      "Hamlet, crew",
    ],
    ["description", "", "An island", en.auditPage.nothing, "An island"],
  ];
  for (const [id, before, after, from, to] of values)
    assert.deepEqual(said(change, `organization setting ${id}`, before, after), [["", from, to]], id);
  const theme = said("change default setting", "default setting color_scheme", 1, 2);
  assert.deepEqual(theme, [["", en.userSettings.color_scheme.choices["1"], en.userSettings.color_scheme.choices["2"]]]);
});

test("the audit can format each setting's values", () => {
  const own = ["period", "days", "channel", "language"];
  for (const { name, control } of settingsIn(TABLES.organization))
    assert.equal(settingKind(name), own.includes(control) ? control : undefined, name);
  const people = { direct_members: [5], direct_subgroups: [] };
  for (const { name } of settingsIn(TABLES.permissions)) {
    const [change] = said("change organization setting", `organization setting ${name}`, 1, people);
    assert.deepEqual(change, ["", en.permissions.roles.moderators, "Hamlet"], name);
  }
});

test("the audit has texts for all changed fields", async () => {
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
    [en.auditPage.fields.folder_id, en.auditPage.nothing, "House"],
    [
      en.auditPage.fields.message_retention_days,
      en.channels.retention.organization,
      uiText("settings.forDays", { count: 7 }),
    ],
    [
      en.auditPage.fields.topics_policy,
      en.channels.topicsPolicies.inherit,
      en.channels.topicsPolicies.empty_topic_only,
    ],
    [en.channels.permissions.can_send_message_group.label, en.permissions.roles.moderators, "crew"],
  ]);
  assert.deepEqual(said("change profile", "user 5", { 4: "" }, { 4: "he" }), [
    ["Pronouns", en.auditPage.nothing, "he"],
  ]);
  assert.deepEqual(said("make export", "export x.tar", null, { type: 2 }), [
    [en.auditPage.fields.type, undefined, en.exports.types["2"]],
  ]);
  assert.deepEqual(said("reorder channel folders", "channel folders", [3], [3, 9]), [["", "House", "House, folder 9"]]);
  assert.deepEqual(said("change user group", "user group 2", { can_mention_group: 1 }, { can_mention_group: 2 }), [
    [en.groups.can_mention_group, en.permissions.roles.moderators, "crew"],
  ]);
  assert.deepEqual(said("subscribe users", "channel 8", null, [5, 6]), [["", undefined, "Hamlet, person 6"]]);
  const hamlet = { full_name: "Hamlet", role: 400 };
  assert.deepEqual(said("deactivate user", "user 5", hamlet, null), [], "nothing is struck out");
  await i18next.changeLanguage("de");
  assert.deepEqual(said("change channel", "channel 8", { folder_id: null }, { folder_id: 3 }), [
    [de.auditPage.fields.folder_id, de.auditPage.nothing, "House"],
  ]);
  await i18next.changeLanguage("en");
});

test("finds a setting by label, help, keywords and API name", () => {
  const text = settingSearchText("organization setting", "message_retention_days");
  for (const word of ["message retention", "permanently deleted", "expire", "retention days"])
    assert.ok(text.includes(word), word);
  assert.match(settingSearchText("default setting", "color_scheme"), /^theme .*color scheme$/);
  assert.match(settingSearchText("organization setting", "can_create_groups"), /^who can create groups\? .*groups$/);
});

test("each entry of a person's history starts with the change to them", () => {
  const [made, owner, channel] = ["organization", "user 1", "channel 2"].map((target) => ({ action: "make", target }));
  const act = { ...made!, more: [owner!, channel!] };
  assert.deepEqual(beginningWith(1, act), { ...owner, more: [made, channel] });
  assert.equal(beginningWith(7, act), act, "of an act that only its page knows to be about them");
  const subscribed = { action: "subscribe users", target: "channel 2", after: [3, 7] };
  assert.deepEqual(beginningWith(7, { ...channel!, more: [subscribed] }), { ...subscribed, more: [channel] });
});

test("an entry starts with the deactivation, not its side effects", () => {
  const [left, bot, person] = [
    { action: "change members of user group", target: "user group 9" },
    { action: "deactivate user", target: "user 4" },
    { action: "deactivate user", target: "user 3" },
  ] as const;
  assert.deepEqual(mainFirst({ ...left, more: [bot, person] }), { ...person, more: [left, bot] });
  const alone = { ...left, more: [] };
  assert.equal(mainFirst(alone), alone);
});
