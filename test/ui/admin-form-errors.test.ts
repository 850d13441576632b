import assert from "node:assert/strict";
import test from "node:test";
import { adminWindow } from "../support/admin-window.ts";

test("what the server refuses of a field stands at the field", async (t) => {
  const { page, owner } = await adminWindow(t, "/groups");
  await owner("POST /user_groups/create", { name: "crew", description: "", members: [] });
  await owner("POST /channel_folders/create", { name: "Acts", description: "" });
  await owner("POST /realm/profile_fields", { name: "Instrument", field_type: 1, hint: "" });
  await owner("POST /realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" });
  const emails = "Email addresses";
  const [add, run] = ["Add a linkifier", "Add a playground"];
  const [numbered, playground] = [
    { Pattern: "#(?P<id>[0-9]+)", Address: "https://example.com/x/{id}" },
    { Name: "Try it", Language: "Rust" },
  ];
  for (const [path, begin, label, value, submit, said, others = {}] of [
    ["groups", "Create a group", "Name", "crew", "Create a group", 'There is a group "crew" already.'],
    ["folders", "Create a folder", "Name", "acts", "Create it", "There is a channel folder acts already."],
    ["folders", "Create a folder", "Name", "a".repeat(61), "Create it", "Is too long: at most 60 characters."],
    ["profile-fields", "Add a field", "Name", "instrument", "Save", 'There is a profile field called "instrument"'],
    ["linkifiers", add, "Pattern", numbered.Pattern, "Save", "A linkifier with this pattern exists", numbered],
    ["linkifiers", add, "Pattern", "#(?P<id>[0-9]+", "Save", "Bad regular expression", numbered],
    ["linkifiers", add, "Address", "https://example.com/{no}", "Save", "The group no of the address is not", numbered],
    ["playgrounds", run, "Address", "https://example.com/", run, 'the variable "code"', playground],
    ["invitations", "Invite people", emails, "nonsense", "Make the invitation", "That is not an email address."],
  ] as const) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.locator("#content").getByRole("button", { name: begin }).first().click();
    const dialog = page.getByRole("dialog");
    if (label === emails) await dialog.getByText("By email address").click();
    for (const [other, text] of Object.entries<string>({ ...others, [label]: value }))
      await dialog.getByLabel(other, { exact: true }).fill(text);
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    const refused = dialog.locator("[aria-invalid=true]:focus");
    await refused.waitFor();
    assert.equal(await refused.inputValue(), value);
    const field = await refused.evaluate((input) => input.closest(".mantine-InputWrapper-root")?.textContent ?? "");
    assert.ok(field.includes(said), `${path}: ${field}`);
    assert.equal(await dialog.getByRole("alert").count(), 0);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  await page.evaluate(() => localStorage.setItem("hearth-language", "de"));
  await page.evaluate((hash) => location.assign(hash), "#/groups");
  await page.reload();
  await page.getByText("Moderatoren, Administratoren und Besitzer", { exact: true }).waitFor(); // what a group of roles is
  await page.getByRole("button", { name: "Gruppe erstellen" }).first().click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name", { exact: true });
  for (const [value, said] of [
    ["crew", "Eine Gruppe „crew“ gibt es schon."],
    ["role:x", "Der Name einer Gruppe darf nicht mit „role:“ beginnen."],
  ] as const) {
    await name.fill(value);
    await dialog.getByRole("button", { name: "Gruppe erstellen" }).click();
    await dialog.getByText(said).waitFor();
    assert.equal(await name.getAttribute("aria-invalid"), "true");
  }
});
