import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import type { PaletteItem } from "../../ui/admin/shell/palette-item.ts";
import { itemsFor } from "../../ui/admin/shell/palette-items.ts";
import { findPlaces } from "../../ui/chat/model/find-places.ts";
import { filterOptions, folded, wordMatcher } from "../../ui/parts/folded.ts";

// Searches ignore accents and letter case.

test("finds words regardless of accents, case and order", () => {
  assert.equal(folded("Åsa ÖBERG"), "asa oberg");
  for (const typed of ["oberg", "ÖBERG asa", "o\u0308berg", " ", ""]) assert.ok(wordMatcher(typed)("Åsa Öberg"), typed);
  assert.ok(!wordMatcher("oberg bo")("Åsa Öberg"));
  for (const [typed, name] of [
    ["weiss", "Weiß"],
    ["sorensen", "Sørensen"],
    ["yilmaz", "Yılmaz"],
    ["o'toole", "O’Toole"],
    ["lodz", "Łódź"],
    ["abc", "ＡＢＣ"],
    ["file", "ﬁle"],
    ["softhyphen", "soft\u00adhyphen"],
  ] as const)
    assert.ok(wordMatcher(typed)(name), name);
});

test("the palette and the chat's finder ignore accents", () => {
  const named = (label: string) => ({ key: label, label, searchable: label }) as PaletteItem;
  assert.deepEqual(
    itemsFor([named("Åsa Öberg"), named("Öberg, Åsa"), named("Bo")], "oberg").map(({ label }) => label),
    ["Öberg, Åsa", "Åsa Öberg"],
  );
  const state = { realm_users: [{ user_id: 1, full_name: "Åsa Öberg" }], subscriptions: [] } as never;
  assert.deepEqual(
    findPlaces(state, "Oberg", [{ channelId: 1, topic: "Obergeschoß" }], []).map(({ name }) => name),
    ["Obergeschoß", "Åsa Öberg"],
  );
});

test("option lists ignore accents and respect their limit", () => {
  const option = (label: string) => ({ value: label, label });
  const options = [
    option("Öberg"),
    { group: "Groups", items: [option("Obergruppe"), option("crew"), option("oberg")] },
  ];
  assert.deepEqual(filterOptions({ options, search: "oberg", limit: 2 }), [
    option("Öberg"),
    { group: "Groups", items: [option("Obergruppe")] },
  ]);
});

test("every search field uses the same matching", () => {
  const ui = fileURLToPath(new URL("../../ui", import.meta.url));
  const own = readdirSync(ui, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && path !== join("parts", "folded.ts"))
    .filter((path) =>
      /to(?:Locale)?LowerCase\(\)\s*(?:\.includes\(|\.split\(\/\\s)/.test(readFileSync(join(ui, path), "utf8")),
    );
  assert.deepEqual(own, []);
});
