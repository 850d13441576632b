import assert from "node:assert/strict";
import test from "node:test";
import { sourceOf } from "../../server/http/caller.ts";

test("the source of an IPv4 address is the address itself", () => {
  for (const address of ["192.0.2.1", "127.0.0.2", "::1", ""]) assert.equal(sourceOf(address), address);
  assert.equal(sourceOf("::ffff:192.0.2.1"), "192.0.2.1");
});

test("the source of an IPv6 address is its /64", () => {
  const same = ["2001:db8:0:1::", "2001:db8:0:1:ffff::1", "2001:0DB8:0000:0001:1:2:3:4", "2001:db8:0:1::192.0.2.1"];
  for (const address of same) assert.equal(sourceOf(address), "2001:db8:0:1::/64", address);
  assert.equal(sourceOf("2001:db8::1"), "2001:db8:0:0::/64");
  assert.equal(sourceOf("::2"), "0:0:0:0::/64");
  assert.notEqual(sourceOf("2001:db8:0:2::"), sourceOf("2001:db8:0:1::"));
});

test("link-local addresses are separate sources per interface", () => {
  assert.equal(sourceOf("fe80::1%eth0"), sourceOf("fe80::2%eth0"));
  assert.notEqual(sourceOf("fe80::1%eth0"), sourceOf("fe80::1%eth1"));
});

test("translated IPv4 addresses are separate sources", () => {
  assert.equal(sourceOf("64:ff9b::c000:201"), "192.0.2.1");
  assert.equal(sourceOf("64:ff9b::192.0.2.2"), "192.0.2.2");
});
