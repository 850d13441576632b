import assert from "node:assert/strict";
import test from "node:test";
import { printable } from "../../server/host/supervisor/terminal.ts";

test("escapes all terminal control characters", () => {
  assert.equal(printable("\x1b]0;title\x07"), "\\u{1b}]0;title\\u{7}");
  assert.equal(printable("a\nb\r\u2028\u009b2J"), "a\\u{a}b\\u{d}\\u{2028}\\u{9b}2J");
  assert.equal(printable("a\u202eb\u{e0041}\ud800"), "a\\u{202e}b\\u{e0041}\\u{d800}");
});

test("leaves names unchanged", () => {
  for (const name of ["Zoë's café", "Ruderverein Grünau", "東京 チーム", "👩‍👩‍👧 family", "می‌خواهم"])
    assert.equal(printable(name), name);
});
