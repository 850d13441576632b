import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { CHAT, isPageUrl } from "../../main/sites.ts";

const ui = fileURLToPath(new URL("../../ui", import.meta.url));

const sources = (folder: string): string[] =>
  readdirSync(join(ui, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(ui, folder, path), "utf8"));

test("the chat window allows the calls of the chat page", () => {
  const calls = ["chat", "parts"]
    .flatMap(sources)
    .flatMap((text) => [...text.matchAll(/"[A-Z]+ (\/host\/[\w-]+(?:\/[\w-]+)?)/g)]);
  const paths = [...new Set(calls.map(([, path]) => path as string))].sort();
  assert.ok(paths.includes("/host/sessions") && paths.includes("/host/setting-tables"), String(paths));
  assert.deepEqual(
    paths.filter((path) => !CHAT.calls.some((start) => path.startsWith(start))),
    [],
  );
});

test("a page's URL ignores its route only", () => {
  for (const url of ["app://chat/", "app://chat/#narrow/dm/5"]) assert.ok(isPageUrl(CHAT, url), url);
  for (const url of ["app://hearth/", "app://chat/admin/", "app://chat/?x", "app://chat.evil/", "https://chat/"])
    assert.ok(!isPageUrl(CHAT, url), url);
});
