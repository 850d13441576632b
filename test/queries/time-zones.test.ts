import assert from "node:assert/strict";
import test from "node:test";
import { isTimeZone } from "../../server/api/queries/users.ts";

test("IANA time zones and aliases are accepted, spelled exactly", () => {
  assert.ok(Intl.supportedValuesOf("timeZone").every(isTimeZone));
  for (const name of ["UTC", "Etc/GMT+1", "US/Pacific", "Asia/Calcutta", "Asia/Kolkata"])
    assert.ok(isTimeZone(name), name);
  const wrong = [
    "",
    "europe/Rome",
    "Europe/rome",
    "EUROPE/ROME",
    "us/Pacific",
    "US/pacific",
    "America/argentina/Buenos_Aires",
  ];
  for (const name of [...wrong, "+01:00", "Rome", "Mars/Olympus", "Europe/", "Europe//Rome"])
    assert.ok(!isTimeZone(name), name);
});
