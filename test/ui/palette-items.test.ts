import assert from "node:assert/strict";
import test from "node:test";
import i18next from "i18next";
import { settingTables } from "../../server/api/presenters/setting-tables.ts";
import { navigationFor } from "../../ui/admin/navigation.ts";
import { itemsFor, paletteItems } from "../../ui/admin/shell/palette-items.ts";
import { windowItems } from "../../ui/admin/shell/window-items.ts";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import { addTexts } from "../../ui/locales/i18n.ts";

// Words of people who do not know Hearth's terms.

await addTexts(en, async () => ({ texts: de }));
i18next.addResourceBundle("de", "translation", de);

const state = {
  is_admin: true,
  can_create_streams: true,
  user_id: 8,
  realm_user_groups: [{ id: 3, name: "role:members", is_system_group: true, members: [8], direct_subgroup_ids: [] }],
  realm_can_add_custom_emoji_group: 3,
  realm_users: [
    { user_id: 8, full_name: "Ana General", role: 100, is_bot: false, delivery_email: "ana@example.com" },
    { user_id: 9, full_name: "Ben", role: 400, is_bot: false, delivery_email: "ben@example.com" },
  ],
  streams: [
    { stream_id: 5, name: "general" },
    { stream_id: 6, name: "boats", is_archived: true },
  ],
  channel_folders: [{ id: 2, name: "Races", is_archived: false }],
  realm_linkifiers: [{ id: 4, pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" }],
  realm_incoming_webhook_bots: [
    { name: "slack_incoming", display_name: "Slack" },
    { name: "github", display_name: "GitHub" },
    { name: "grafana", display_name: "Grafana" },
  ],
} as never;
const session = { at_desktop: true, access: "host" } as never;

function keysFor(query: string, seen = state): string[] {
  const items = [
    ...paletteItems(navigationFor(session), seen, i18next.t, settingTables()),
    ...windowItems({ setColorScheme() {}, openChat() {}, onSignOut() {} }, i18next.t),
  ];
  return itemsFor(items, query)
    .slice(0, 12)
    .map(({ key }) => key);
}

const WANTED: Record<"en" | "de", readonly [query: string, key: string][]> = {
  en: [
    ["dark", "scheme dark"],
    ["theme", "scheme dark"],
    ["password", "/people"],
    ["logo", "/organization/pictures"],
    ["icon", "/organization/pictures"],
    ["deactivate", "/people"],
    ["deactivate", "/organization/deactivate"],
    ["sign out", "sign out"],
    ["restore", "/backups"],
    ["quota", "/network"],
    ["QR", "/invitations"],
    ["slack", "/integrations/slack_incoming"],
    ["GitHub", "/integrations/github"],
    ["grafana", "/integrations/grafana"],
    ["add user", "/people add"],
    ["new user", "/people add"],
    ["port", "/network"],
    ["allowed hosts", "/network/ALLOWED_HOSTS"],
    ["rate limit", "/network/RATE_LIMITS"],
    ["log level", "/logs/logs.writes"],
    ["save as csv", "/people"],
    ["csv", "/audit"],
    ["autostart", "/computer/computer.startAtLogin"],
    ["firewall", "/network"],
    ["certificate", "/network"],
    ["update", "/updates"],
    ["language", "/organization/default_language"],
    ["new folder", "create folder"],
    ["add folder", "create folder"],
    ["rename races", "folder 2"],
    ["rename folder", "folder 2"],
    ["add emoji", "/emoji add"],
    ["new emoji", "/emoji add"],
    ["add linkifier", "/linkifiers add"],
    ["new playground", "/playgrounds add"],
    ["add profile field", "/profile-fields add"],
  ],
  de: [
    ["dunkel", "scheme dark"],
    ["design", "scheme dark"],
    ["passwort", "/people"],
    ["logo", "/organization/pictures"],
    ["symbol", "/organization/pictures"],
    ["deaktivieren", "/people"],
    ["abmelden", "sign out"],
    ["wiederherstellen", "/backups"],
    ["kontingent", "/network"],
    ["QR", "/invitations"],
    ["benutzer hinzufugen", "/people add"],
    ["neuer benutzer", "/people add"],
    ["port", "/network"],
    ["firewall", "/network"],
    ["zertifikat", "/network"],
    ["aktualisieren", "/updates"],
    ["sprache", "/organization/default_language"],
    ["neuer ordner", "create folder"],
    ["ordner umbenennen", "folder 2"],
    ["emoji hinzufugen", "/emoji add"],
    ["neues linkmuster", "/linkifiers add"],
    ["neue spielwiese", "/playgrounds add"],
    ["profilfeld hinzufugen", "/profile-fields add"],
  ],
};

for (const language of ["en", "de"] as const)
  test(`everyday words find palette entries: ${language}`, async () => {
    await i18next.changeLanguage(language);
    for (const [query, key] of WANTED[language])
      assert.ok(keysFor(query).includes(key), `${query}: ${keysFor(query).join(", ")}`);
  });

test("typed verbs lead to their action first", async () => {
  const begun = {
    en: ["new folder", "add emoji", "add linkifier", "new playground", "add profile field"],
    de: ["neuer ordner", "emoji hinzufügen", "neues linkmuster", "neue spielwiese", "profilfeld hinzufügen"],
  };
  const keys = ["create folder", "/emoji add", "/linkifiers add", "/playgrounds add", "/profile-fields add"];
  for (const [language, queries] of Object.entries(begun)) {
    await i18next.changeLanguage(language);
    assert.deepEqual(
      queries.map((query) => keysFor(query)[0]),
      keys,
    );
  }
});

test("an exact name comes before other matches", async () => {
  await i18next.changeLanguage("en");
  const inviting = { ...(state as object), can_invite_others_to_realm: true } as never;
  assert.deepEqual(keysFor("add a p", inviting).slice(0, 2), ["/people add", "/playgrounds add"]);
});

test("a prefix sign finds channels or people first", () => {
  assert.deepEqual(keysFor("#general"), ["channel 5"]);
  assert.deepEqual(keysFor("@general"), ["person 8"]);
  assert.deepEqual(keysFor("#").slice(0, 2), ["channel 6", "channel 5"]);
  assert.deepEqual(keysFor("@ ana"), ["person 8"]);
  assert.deepEqual(keysFor("#(?P"), ["linkifier 4"]);
  assert.deepEqual(keysFor("@example.com"), ["person 8", "person 9"]);
});

test("does not offer adding without permission", async () => {
  await i18next.changeLanguage("en");
  const member = { ...(state as object), is_admin: false, can_create_streams: false } as never;
  const begun = (seen: never) =>
    ["new folder", "rename races", "add emoji", "add linkifier", "new playground", "add profile field"].flatMap(
      (query) => keysFor(query, seen).filter((key) => / add$|folder/.test(key) && !key.startsWith("/people")),
    );
  assert.deepEqual(begun(member), ["/emoji add"]);
  assert.deepEqual(begun({ ...(member as object), is_guest: true } as never), []);
});
