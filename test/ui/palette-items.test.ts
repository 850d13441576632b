import assert from "node:assert/strict";
import test from "node:test";
import i18next from "i18next";
import { navigationFor } from "../../ui/admin/navigation.ts";
import { itemsFor, paletteItems } from "../../ui/admin/shell/palette-items.ts";
import { windowItems } from "../../ui/admin/shell/window-items.ts";
import { de } from "../../ui/locales/de.ts";
import { en } from "../../ui/locales/en.ts";
import { addTexts } from "../../ui/locales/i18n.ts";

// What people type who do not know what a thing is called here.

await addTexts(en, async () => de);
i18next.addResourceBundle("de", "translation", de);

const state = {
  is_admin: true,
  can_create_streams: true,
  realm_incoming_webhook_bots: [
    { name: "slack_incoming", display_name: "Slack" },
    { name: "github", display_name: "GitHub" },
    { name: "grafana", display_name: "Grafana" },
  ],
} as never;
const session = { at_desktop: true, access: "host" } as never;

function keysFor(query: string): string[] {
  const items = [
    ...paletteItems(navigationFor(session), state, i18next.t),
    ...windowItems({ setColorScheme() {}, onSignOut() {} }, i18next.t),
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
    ["allowed hosts", "/network/network.allowedHosts"],
    ["rate limit", "/network/network.limits"],
    ["log level", "/logs/logs.writes"],
    ["save as csv", "/people"],
    ["csv", "/audit"],
    ["autostart", "/computer/computer.startAtLogin"],
    ["firewall", "/network"],
    ["certificate", "/network"],
    ["update", "/updates"],
    ["language", "/organization/default_language"],
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
  ],
};

for (const language of ["en", "de"] as const)
  test(`the palette is found its way by everyday words: ${language}`, async () => {
    await i18next.changeLanguage(language);
    for (const [query, key] of WANTED[language])
      assert.ok(keysFor(query).includes(key), `${query}: ${keysFor(query).join(", ")}`);
  });
