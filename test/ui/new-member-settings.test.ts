import assert from "node:assert/strict";
import test from "node:test";
import {
  USER_SETTING_DEFAULT_NAMES,
  USER_SETTING_DEFAULTS,
  USER_SETTINGS,
} from "../../server/api/queries/user-settings.ts";
import { NEW_MEMBER_SECTIONS } from "../../ui/admin/settings/new-member-settings.ts";
import { ORGANIZATION_SECTIONS } from "../../ui/admin/settings/organization-settings.ts";
import { en } from "../../ui/locales/en.ts";
import { likeText } from "../support/ui-texts.ts";

const settings = NEW_MEMBER_SECTIONS.flatMap((section) => [...section.settings]);

test("the page has every setting for new members once", () => {
  const ids: string[] = settings.map(({ id }) => id);
  assert.deepEqual(ids.sort(), [...USER_SETTING_DEFAULT_NAMES].sort());
});

test("the page and the server agree on each setting's values", () => {
  for (const { id, kind } of settings) {
    assert.equal(kind.initial, USER_SETTINGS[id].initial, `${id}: its value in a new organization`);
    const { allowed } = USER_SETTING_DEFAULTS[id];
    const values = kind.type === "choice" ? kind.values : kind.type === "number" ? [kind.min, kind.max] : [true, false];
    for (const value of values) assert.ok(allowed.safeParse(value).success, `${id}: ${value}`);
  }
});

test("every choice has words, but sounds", () => {
  for (const { id, kind } of settings) {
    if (kind.type !== "choice" || id === "notification_sound") continue;
    const texts: object = en.newMembers.settings[id];
    assert.deepEqual(
      Object.keys("values" in texts ? (texts.values as object) : {}).sort(),
      kind.values.map(String).sort(),
      id,
    );
  }
});

test("what is about mail and push notices stands where the page says that none are sent", () => {
  const about = /push_notifications|email_notifications|emails$/;
  for (const [sections, others] of [
    [NEW_MEMBER_SECTIONS, en.newMembers.othersHint],
    [ORGANIZATION_SECTIONS, en.organization.sectionHints.others],
  ] as const) {
    for (const { id: section, settings } of sections)
      for (const { id } of settings) if (about.test(id)) assert.equal(section, "others", id);
    assert.match(others, likeText(en.newMembers.othersHint));
  }
});
