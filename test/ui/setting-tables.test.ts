import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { z } from "zod";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { OPERATOR_SETTING_SECTIONS, OPERATOR_SETTINGS } from "../../server/api/queries/operator-settings.ts";
import {
  ORGANIZATION_SETTING_SECTIONS,
  ORGANIZATION_SETTINGS,
} from "../../server/api/queries/organization-settings.ts";
import {
  CHANNEL_GROUP_SETTINGS,
  ORGANIZATION_GROUP_SETTINGS,
  USER_GROUP_GROUP_SETTINGS,
} from "../../server/api/queries/permission-settings.ts";
import { USER_SETTING_DEFAULTS, USER_SETTING_SECTIONS, USER_SETTINGS } from "../../server/api/queries/user-settings.ts";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import { settingsIn } from "../../ui/parts/settings/setting-tables.ts";
import { intercept, visit } from "../support/browser.ts";
import { startChat } from "../support/chat.ts";
import { dataFolder, OWNER_LOGIN, serveHere } from "../support/server-process.ts";

type Texts = Readonly<Record<string, unknown>>;
const TABLES = settingTables();
const LANGUAGES: Readonly<Record<string, Texts>> = { English: en, German: de };

/** The text at a path of keys. */
const at = (texts: Texts, path: string): unknown =>
  path.split(".").reduce<unknown>((part, key) => (part as Texts | undefined)?.[key], texts);

/** The keys of a table's setting texts, by table name. */
const ENTRIES = {
  organization: (name: string) => `organization.${name}`,
  permissions: (name: string) => `organizationPermissions.who.${name}`,
  new_members: (name: string) => `userSettings.${name}`,
  own: (name: string) => `userSettings.${name}`,
  operator: (name: string) => `operatorSettings.${name}`,
} as const;
const tables = Object.entries(ENTRIES) as [keyof typeof ENTRIES, (name: string) => string][];

/** Settings in the section `elsewhere`, and why they are not in the list of their page. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // Settings of the organization
  authentication_methods: "the server offers a single way to sign in",
  string_id: "only hosted organizations have it",
  email_host: "only `hearth init` sets it",
  icon_source: "follows from the uploaded pictures, which have a section of their own",
  logo_source: "follows from the uploaded pictures",
  night_logo_source: "follows from the uploaded pictures",
  plan_type: "there are no plans",
  presence_disabled: "the server always offers presence",
  push_notifications_enabled: "the server sends no push notifications",
  // Settings of users without a default in the organization
  allow_private_data_export: "a person's own decision, on the page of own settings",
  default_language: "the organization's setting of this name is the default",
  enable_login_emails: "about the person's own account, on the page of own settings",
  enable_marketing_emails: "the server sends no advertising",
  quiet_days: "a person's own schedule",
  quiet_hours_enabled: "a person's own schedule",
  quiet_hours_end: "a person's own schedule",
  quiet_hours_start: "a person's own schedule",
  quiet_until: "a pause that a person starts",
  timezone: "has a control of its own on the page of own settings",
  // Settings of the server
  ORGANIZATION_DEACTIVATED: "a button on the Organization page, with a question",
  LOG_LEVEL: "on the Logs page",
  BACKUPS_DAILY: "on the Backups page",
  BACKUP_FOLDER: "on the Backups page",
  HTTPS: "has a section of its own on the Network page",
  SMTP: "on the Email page",
  PUBLIC_URL: "on the Email page",
};

test("each server setting is on a page or excluded with a reason", () => {
  const elsewhere = [ORGANIZATION_SETTING_SECTIONS, USER_SETTING_SECTIONS, OPERATOR_SETTING_SECTIONS].flatMap(
    (sections) => Object.keys(sections.elsewhere),
  );
  assert.deepEqual(
    elsewhere.filter((name) => !ELSEWHERE[name]),
    [],
  );
  const all = [ORGANIZATION_SETTINGS, ORGANIZATION_GROUP_SETTINGS, USER_SETTINGS, OPERATOR_SETTINGS].flatMap(
    Object.keys,
  );
  const onPages = tables.flatMap(([table]) => settingsIn(TABLES[table]).map(({ name }) => name));
  assert.deepEqual(
    all.filter((name) => !onPages.includes(name) && !elsewhere.includes(name)),
    [],
  );
});

test("each setting and section has texts in each language", () => {
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    const missing = (path: string) => (typeof at(texts, path) === "string" ? [] : [`${language}: ${path}`]);
    const found = tables.flatMap(([table, entry]) =>
      TABLES[table].flatMap(({ settings }) =>
        settings.flatMap(({ name, control, values = [] }) => {
          // Sounds have their wire names, and languages their own names.
          const named = control === "choice" && name !== "notification_sound" ? values : [];
          return [`${entry(name)}.label`, ...named.map((value) => `${entry(name)}.choices.${value}`)].flatMap(missing);
        }),
      ),
    );
    const sections = {
      organization: "organization.sections",
      permissions: "organizationPermissions.sections",
      new_members: "newMembers.sections",
      own: "ownSettings.groups",
      operator: "network",
    } as const;
    for (const [table] of tables)
      for (const { section } of TABLES[table]) found.push(...missing(`${sections[table]}.${section}`));
    for (const name of Object.keys(CHANNEL_GROUP_SETTINGS))
      found.push(...missing(`channels.permissions.${name}.label`));
    for (const name of Object.keys(USER_GROUP_GROUP_SETTINGS)) found.push(...missing(`groups.${name}`));
    for (const name of Object.keys(OPERATOR_SETTINGS)) found.push(...missing(`operatorSettings.${name}.audit`));
    assert.deepEqual(found, []);
  }
});

test("the catalogue has no texts for settings that do not exist", () => {
  const isIn = (names: object) => (name: string) => name in names;
  const { lead: _, ...withoutLead } = en.channels.permissions;
  const entries = [
    [en.organizationPermissions.who, isIn(ORGANIZATION_GROUP_SETTINGS)],
    [en.userSettings, isIn(USER_SETTINGS)],
    [en.operatorSettings, isIn(OPERATOR_SETTINGS)],
    [withoutLead, isIn(CHANNEL_GROUP_SETTINGS)],
  ] as const;
  for (const [texts, exists] of entries)
    assert.deepEqual(
      Object.keys(texts).filter((name) => !exists(name)),
      [],
    );
});

test("a setting's default, choices and limits are valid values", () => {
  const allowed: Readonly<Record<string, (name: string) => z.ZodType>> = {
    organization: (name) => ORGANIZATION_SETTINGS[name as "name"].allowed as z.ZodType,
    new_members: (name) => USER_SETTING_DEFAULTS[name as "enter_sends"].allowed,
    own: (name) => USER_SETTINGS[name as "enter_sends"].allowed,
    operator: (name) => OPERATOR_SETTINGS[name as "MDNS"].allowed,
  };
  for (const [table] of tables.filter(([name]) => name !== "permissions")) {
    for (const { name, control, values = [], min, max, max_length } of settingsIn(TABLES[table])) {
      const isAllowed = (value: unknown) => allowed[table]?.(name).safeParse(value).success;
      for (const value of values) assert.ok(isAllowed(value), `${name}: ${value}`);
      const limits = control === "rate limits" ? [] : [min, max].filter((limit) => limit !== undefined);
      for (const limit of limits) assert.ok(isAllowed(limit), `${name}: ${limit}`);
      if (max_length === undefined || control === "address") continue;
      assert.ok(isAllowed("🙂".repeat(max_length)), name);
      assert.ok(!isAllowed("🙂".repeat(max_length + 1)), name);
    }
  }
});

test("every account gets the tables", async (t) => {
  const chat = await startChat(t, {});
  const answer = await chat.as("hamlet").get("/host/setting-tables");
  assert.deepEqual(answer.organization, JSON.parse(JSON.stringify(TABLES.organization)));
  const refused = await fetch(`${chat.url}/host/setting-tables`);
  assert.equal(refused.status, 401);
});

test("pages take settings and limits from the server", async (t) => {
  const folder = await dataFolder(t);
  const server = await serveHere(t, folder.path);
  const { page } = await visit(t, `${server.url}/admin/`, { as: OWNER_LOGIN });
  await intercept(page, "**/host/setting-tables", async (route) => {
    const answer = structuredClone(TABLES);
    const [profile] = answer.organization;
    const name = profile?.settings.find((setting) => setting.name === "name");
    if (name) name.max_length = 7;
    profile?.settings.push({ name: "row_at_night", control: "switch", initial: false, owners_only: false });
    const upload = settingsIn(answer.operator).find((setting) => setting.name === "MAX_FILE_UPLOAD_SIZE_MIB");
    if (upload) upload.max = 12;
    await route.fulfill({ json: { result: "success", msg: "", ...answer } });
  });
  await page.goto(`${server.url}/admin/#/organization`);
  await page.reload();
  const name = page.getByLabel(en.organization.name.label, { exact: true });
  assert.equal(await name.getAttribute("maxlength"), "7");
  await page.getByRole("switch", { name: "row_at_night" }).waitFor(); // a setting without texts shows its name
  await page.goto(`${server.url}/admin/#/network`);
  const upload = page.getByLabel(en.operatorSettings.MAX_FILE_UPLOAD_SIZE_MIB.label, { exact: true });
  await upload.fill("40");
  await upload.blur();
  assert.equal(await upload.inputValue(), "12");
});

test("settings for mails that the server never sends are in the section that says so", () => {
  const about = /digest_emails|welcome_emails/;
  for (const [sections, others] of [
    [TABLES.new_members, en.newMembers.othersHint],
    [TABLES.organization, en.organization.sectionHints.others],
  ] as const) {
    for (const { section, settings } of sections)
      for (const { name } of settings) if (about.test(name)) assert.equal(section, "others", name);
    assert.match(others, /sends no digests/);
  }
});

test("only the folded sections have settings without effect here", () => {
  const root = join(import.meta.dirname, "../..");
  const declared = /locales|queries\/(?:organization|user|permission)-settings\.ts$/;
  const code = globSync("{server,ui/chat}/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !declared.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join();
  const hasEffect = (name: string) => new RegExp(`\\b(?:realm_)?${name}\\b`).test(code);
  // Presenters and the form of older clients name these, and nothing else does.
  const named = ["jitsi_server_url", "fluid_layout_width"];
  for (const { section, settings } of [
    ...TABLES.organization,
    ...TABLES.permissions,
    ...TABLES.new_members,
    ...TABLES.own,
  ])
    for (const { name } of settings) assert.equal(hasEffect(name) && !named.includes(name), section !== "others", name);
});
