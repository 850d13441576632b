import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import test from "node:test";
import { type Connection, reasonAgainstTarget } from "../../server/api/access/webhook-addresses.ts";
import { problemText } from "../../server/errors.ts";
import { type Outcomes, OWN } from "../support/local-network-posts.ts";
import { runInPrivateNetwork } from "../support/private-network.ts";

const info = (cidr: string, internal = false) =>
  ({
    address: cidr.split("/")[0],
    cidr,
    internal,
    family: cidr.includes(":") ? "IPv6" : "IPv4",
  }) as NetworkInterfaceInfo;

const INTERFACES = {
  lo: [info("127.0.0.1/8", true), info("::1/128", true)],
  eth0: [
    info("192.168.1.5/24"),
    info("93.184.216.34/26"),
    info("2600:1:2:3::5/64"),
    info("2600:1:2:4::5/128"),
    info("fe80::5/64"),
  ],
};
const MEMBER = { privateNetwork: false, listed: [] };
const ADMINISTRATOR = { privateNetwork: true, listed: [] };

const reason = (
  targets: { privateNetwork: boolean; listed: string[] },
  address: string,
  more: Partial<Connection> = {},
) => {
  const found = reasonAgainstTarget(targets, { name: address, address, port: 8080, interfaces: INTERFACES, ...more });
  return found && problemText(found);
};

test("refuses every notation of this machine's own addresses for everyone", () => {
  const forms = [
    ["192.168.1.5", "::ffff:192.168.1.5", "::192.168.1.5", "64:ff9b::c0a8:105", "::ffff:0:c0a8:105", "2002:c0a8:105::"],
    ["93.184.216.34", "::ffff:5db8:d822", "::5db8:d822", "64:ff9b::5db8:d822", "2002:5db8:d822:1::1"],
    ["2600:1:2:3::5", "2600:1:2:3:0:0:0:5", "2600:0001:0002:0003::0005", "2600:1:2:4::5"],
  ].flat();
  for (const address of forms)
    for (const targets of [MEMBER, ADMINISTRATOR])
      assert.match(reason(targets, address) ?? "allowed", /of this server/, address);
});

test("refuses loopback, link-local and reserved addresses for everyone", () => {
  const addresses = [
    ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "0.0.0.0", "0.1.2.3", "::", "2002:7f00:1::"],
    ["169.254.1.1", "169.254.169.254", "fe80::5", "fe80::9%eth0", "fe80::9%2", "::ffff:169.254.169.254"],
    ["255.255.255.255", "224.0.0.1", "ff02::1", "ff02::1%eth0", "64:ff9b:1:7f00:1::808:808", "2001:0:5db8:d822::1"],
    [
      "100.64.0.1",
      "100.100.100.200",
      "240.0.0.1",
      "198.18.0.1",
      "fec0::1",
      "2001:db8::1",
      "fd00:ec2::254",
      "168.63.129.16",
    ],
  ].flat();
  for (const address of addresses)
    for (const targets of [MEMBER, ADMINISTRATOR]) assert.ok(reason(targets, address), address);
});

test("an on-link network of any range is local", () => {
  const neighbors = [
    "192.168.1.9",
    "10.1.2.3",
    "93.184.216.35",
    "::ffff:93.184.216.63",
    "2600:1:2:3::99",
    "2600:1:2:4::99",
    "fd00::9",
  ];
  for (const address of neighbors) {
    assert.match(reason(MEMBER, address) ?? "allowed", /in the local network/, address);
    assert.equal(reason(ADMINISTRATOR, address), undefined, address);
  }
  for (const address of ["93.184.216.64", "2600:1:2:5::5", "1.1.1.1", "64:ff9b::101:101", "2002:101:101::"])
    assert.equal(reason(MEMBER, address), undefined, address);
});

test("a listed network allows no address of this machine", () => {
  const listed = (...entries: string[]) => ({ privateNetwork: false, listed: entries });
  for (const entry of ["192.168.0.0/16", "0.0.0.0/0", "192.168.1.9", "192.168.1.5:80", "::/0"])
    assert.match(reason(listed(entry), "192.168.1.5") ?? "allowed", /of this server/, entry);
  for (const entry of ["192.168.1.5", "192.168.1.5/32", "192.168.1.5:8080", "[::ffff:192.168.1.5]:8080"])
    assert.equal(reason(listed(entry), "192.168.1.5"), undefined, entry);
  assert.equal(reason(listed("192.168.0.0/16"), "192.168.1.9"), undefined);
  assert.ok(reason(listed("0.0.0.0/0"), "127.0.0.1"));
  assert.equal(reason(listed("127.0.0.0/8"), "127.0.0.1"), undefined);
  assert.equal(reason(listed("bots.example"), "192.168.1.5", { name: "bots.example" }), undefined);
});

test("no address lets webhooks reach this machine", (t) => {
  const ran = runInPrivateNetwork<Outcomes>(t, "./local-network-posts.ts");
  if (!ran) return;
  for (const who of ["member", "administrator", "whole network listed"] as const)
    for (const address of OWN)
      assert.match(ran.outcomes[who][address] ?? "", /of this server|loopback/, `${who} ${address}`);
  assert.equal(ran.reached, 0);
  for (const address of OWN) assert.equal(ran.outcomes["address listed"][address], "200", address);
});

test("neighbors with public addresses are in the local network", (t) => {
  const ran = runInPrivateNetwork<Outcomes>(t, "./local-network-posts.ts");
  if (!ran) return;
  for (const address of ["8.8.4.8", "2600:1234:5:6::8"]) {
    assert.match(ran.outcomes.member[address] ?? "", /in the local network/, address);
    assert.equal(ran.outcomes.administrator[address], "200", address);
  }
});
