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
  for (const [path, begin, label, value, submit, said] of [
    ["groups", "Create a group", "Name", "crew", "Create a group", 'There is a group "crew" already.'],
    ["folders", "Create a folder", "Name", "acts", "Create it", "There is a channel folder acts already."],
    ["profile-fields", "Add a field", "Name", "instrument", "Save", 'There is a profile field called "instrument"'],
    ["linkifiers", "Add a linkifier", "Pattern", "#(?P<id>[0-9]+)", "Save", "A linkifier with this pattern exists"],
    ["invitations", "Invite people", emails, "nonsense", "Make the invitation", "That is not an email address."],
  ] as const) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`);
    await page.locator("#content").getByRole("button", { name: begin }).first().click();
    const dialog = page.getByRole("dialog");
    if (label === emails) await dialog.getByText("By email address").click();
    await dialog.getByLabel(label, { exact: true }).fill(value);
    if (path === "linkifiers") await dialog.getByLabel("Address", { exact: true }).fill("https://example.com/x/{id}");
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
});
