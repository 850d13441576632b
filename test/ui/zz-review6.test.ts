import assert from "node:assert/strict";
import test from "node:test";
import { assertFits, visit } from "../support/browser.ts";
import { startChat } from "../support/chat.ts";
import { linkFor, linkOf } from "../support/joining.ts";
import { writeFileSync } from "node:fs";
test("long and hostile names", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  await chat.as("iago").patch("/settings", { full_name: "W".repeat(100) });
  const out: string[] = [];
  for (const name of ["W".repeat(40), "<img src=x onerror=alert(1)>", "$t(join.void.title) {{name}} $& &amp;"]) {
    const set = await chat.as("desdemona").patch("/realm", { name });
    assert.equal(set.status, 200, set.msg);
    const token = await linkFor(chat, "iago", `${"a".repeat(60)}${out.length}@${"example-".repeat(7)}x.org`);
    const { page } = await visit(t, `${chat.url}/join/${token}/`, { viewport: { width: 360, height: 800 } });
    await page.getByRole("button", { name: /^Join/ }).waitFor();
    out.push(await page.title(), await page.locator("main").innerText(), JSON.stringify(await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelectorAll("main img").length])));
    out.push(JSON.stringify(await page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).slice(0, 6))));
    await page.getByLabel("Your name", { exact: true }).fill("V".repeat(90) + out.length);
    await page.getByLabel("Password", { exact: true }).fill("blue horse battery");
    await page.screenshot({ path: `/tmp/r6-${out.length}.png` });
    await page.getByRole("button", { name: /^Join/ }).dblclick();
    await page.getByRole("heading", { name: /^Welcome/ }).waitFor();
    out.push(JSON.stringify(await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])), JSON.stringify(await page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).slice(0, 6))));
    writeFileSync("/tmp/review6-ui.txt", out.join("\n"));
  }
  assert.ok(linkOf && assertFits);
});
