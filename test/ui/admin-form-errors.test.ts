import assert from "node:assert/strict";
import test from "node:test";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import { adminWindow } from "../support/admin-window.ts";
import { assertNone } from "../support/browser.ts";

test("shows server errors at their fields", async (t) => {
  const { page, owner } = await adminWindow(t, "/groups");
  await owner("POST /user_groups/create", { name: "crew", description: "", members: [] });
  await owner("POST /channel_folders/create", { name: "Acts", description: "" });
  await owner("POST /realm/profile_fields", { name: "Instrument", field_type: 1, hint: "" });
  await owner("POST /realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" });
  const emails = en.invite.emails;
  const [add, run] = [en.linkifiers.add, en.playgrounds.add];
  const [numbered, playground] = [
    { [en.linkifiers.pattern]: "#(?P<id>[0-9]+)", [en.linkifiers.template]: "https://example.com/x/{id}" },
    { [en.playgrounds.name]: "Try it", [en.playgrounds.language]: "Rust" },
  ];
  for (const [path, begin, label, value, submit, said, others = {}] of [
    ["groups", en.groups.create, en.groups.name, "crew", en.groups.create, "Group name already in use: crew"],
    [
      "folders",
      en.folders.create,
      en.channels.fields.name,
      "acts",
      en.channels.create.submit,
      "A folder named acts already exists.",
    ],
    [
      "folders",
      en.folders.create,
      en.channels.fields.name,
      "a".repeat(61),
      en.channels.create.submit,
      "Must have at most 60 characters.",
    ],
    [
      "profile-fields",
      en.profileFields.add,
      en.profileFields.name,
      "instrument",
      en.profileFields.save,
      "A profile field named instrument already exists.",
    ],
    [
      "linkifiers",
      add,
      en.linkifiers.pattern,
      numbered.Pattern,
      en.linkifiers.save,
      "A linkifier with this pattern already exists",
      numbered,
    ],
    [
      "linkifiers",
      add,
      en.linkifiers.pattern,
      "#(?P<id>[0-9]+",
      en.linkifiers.save,
      "Invalid regular expression",
      numbered,
    ],
    [
      "linkifiers",
      add,
      en.linkifiers.template,
      "https://example.com/{no}",
      en.linkifiers.save,
      "The URL template uses the group no",
      numbered,
    ],
    ["playgrounds", run, en.playgrounds.template, "https://example.com/", run, 'the variable "code"', playground],
    ["invitations", en.invitations.action, emails, "nonsense", en.invite.make, "This isn't a valid email address."],
  ] as const) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.locator("#content").getByRole("button", { name: begin }).first().click();
    const dialog = page.getByRole("dialog");
    if (label === emails) await dialog.getByText(en.invite.email).click();
    for (const [other, text] of Object.entries<string>({ ...others, [label]: value }))
      await dialog.getByLabel(other, { exact: true }).fill(text);
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    const refused = dialog.locator("[aria-invalid=true]:focus");
    await refused.waitFor();
    assert.equal(await refused.inputValue(), value);
    const field = await refused.evaluate((input) => input.closest(".mantine-InputWrapper-root")?.textContent ?? "");
    assert.ok(field.includes(said), `${path}: ${field}`);
    await assertNone(dialog.getByRole("alert"));
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: en.dialog.discard }).click();
    await dialog.waitFor({ state: "detached" });
  }

  await page.evaluate(() => localStorage.setItem("hearth-language", "de"));
  await page.evaluate((hash) => location.assign(hash), "#/groups");
  await page.reload();
  await page.getByText(de.permissions.roles.moderators, { exact: true }).first().waitFor(); // a group of roles
  await page.getByRole("button", { name: de.groups.create }).first().click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel(en.playgrounds.name, { exact: true });
  for (const [value, said] of [
    ["crew", "Gruppenname bereits vergeben: crew"],
    ["role:x", "Ein Gruppenname darf nicht so beginnen: role:"],
  ] as const) {
    await name.fill(value);
    await dialog.getByRole("button", { name: de.groups.create }).click();
    await dialog.getByText(said).waitFor();
    assert.equal(await name.getAttribute("aria-invalid"), "true");
  }
});
