import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test, { before, type TestContext } from "node:test";
import { connect, createServer } from "node:tls";
import { makeRoot } from "../../server/host/https/certificates.ts";
import { Https } from "../../server/host/https/https.ts";
import { LocalAuthority, loadCertificates } from "../../server/host/https/local-authority.ts";
import { temporaryFolder } from "../support/organization.ts";

const DAY = 86_400_000;
const MACHINE = { hostname: "Hearthbox.example", addresses: ["192.168.77.5", "203.0.113.9"] };

/** OpenSSL's verdict on a certificate for these names. The authority signs any name, so clients must refuse. */
function verified(folder: string, authority: LocalAuthority, names: string[]): string {
  const leaf = authority.leaf(names, Date.now());
  writeFileSync(join(folder, "root.pem"), authority.root.toString());
  writeFileSync(join(folder, "leaf.pem"), leaf.certificate.toString());
  const args = ["verify", "-x509_strict", "-CAfile", "root.pem", "leaf.pem"];
  return execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

/** Whether Node trusts a server of this name: the error, or undefined. */
async function refusalOf(t: TestContext, authority: LocalAuthority, name: string): Promise<string | undefined> {
  const { certificate, key } = authority.leaf([name], Date.now());
  const pem = key.export({ type: "pkcs8", format: "pem" });
  const server = createServer({ cert: certificate.toString(), key: pem }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  server.on("tlsClientError", () => {});
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", servername: name, ca: authority.root.toString() });
    socket.on("secureConnect", () => resolve(undefined));
    socket.on("error", ({ message }) => resolve(message));
    t.after(() => socket.destroy());
  });
}

before(loadCertificates);

const openssl = { skip: spawnSync("openssl", ["version"]).error !== undefined && "there is no openssl" };

test("a machine named like a top-level domain gets no root certificate for it", openssl, async (t) => {
  for (const hostname of ["dev", "studio", "cloud", "co.uk", "Com.au."]) {
    const folder = temporaryFolder(t);
    const machine = { hostname, addresses: ["192.168.77.5"] };
    const authority = LocalAuthority.in(folder, Date.now(), machine);
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const local = `${name.split(".")[0]}.local`;
    assert.deepEqual(authority.namesOf(machine), ["localhost", local, "127.0.0.1", "::1", "192.168.77.5"]);
    assert.deepEqual(authority.topLevelNames, []);
    for (const outside of [name, `www.${name}`]) {
      assert.throws(() => verified(folder, authority, [outside]), /permitted subtree violation/, outside);
      assert.match((await refusalOf(t, authority, outside)) ?? "trusted", /permitted subtree violation/, outside);
    }
    for (const inside of [local, `${local.split(".")[0]}.home.arpa`]) {
      assert.match(verified(folder, authority, [inside]), /OK/, inside);
      assert.equal(await refusalOf(t, authority, inside), undefined, inside);
    }
  }
});

test("reports an old root for a top-level domain and keeps using it", async (t) => {
  const dataFolder = temporaryFolder(t);
  const lifetime = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + 30 * DAY) };
  const [names, networks] = [["local", "localhost", "dev"], ["127.0.0.0/8"]];
  const { certificate, key } = makeRoot({ name: "Old", names, networks, ...lifetime });
  const pem = `${certificate.toString()}${key.export({ type: "pkcs8", format: "pem" })}`;
  mkdirSync(join(dataFolder, "https"));
  writeFileSync(join(dataFolder, "https/authority.pem"), `${pem}# ${[...names, ...networks].join(" ")}\n`);
  const lines: string[] = [];
  const https = await Https.start({
    dataFolder,
    setting: () => ({ use: "local authority" }),
    now: Date.now,
    report: (line) => lines.push(line),
    machine: () => ({ hostname: "dev", addresses: [] }),
  });
  t.after(() => https.stop());
  assert.match(lines[0] ?? "", /authority\.pem can vouch for every site in \.dev\. Stop Hearth and delete this file/);
  assert.equal(https.state.root?.fingerprint256, certificate.fingerprint256);
});

test("the root covers only private addresses and own names", openssl, (t) => {
  const folder = temporaryFolder(t);
  const authority = LocalAuthority.in(folder, Date.now(), MACHINE);
  assert.equal(LocalAuthority.in(folder, Date.now(), MACHINE).root.fingerprint256, authority.root.fingerprint256);
  const verify = (names: string[]) => verified(folder, authority, names);
  assert.match(verify(["hearthbox.local", "hearthbox.example", "10.1.2.3", "203.0.113.9", "fd00::5"]), /OK/);
  for (const name of ["example.com", "local.example.com", "8.8.8.8", "203.0.113.10", "2001:db8::1"])
    assert.throws(() => verify([name]), /permitted subtree violation/, name);
  assert.throws(() => {
    writeFileSync(join(folder, "https/authority.pem"), "no certificate");
    LocalAuthority.in(folder, Date.now(), MACHINE);
  }, /authority\.pem cannot be used: .+ Put it back/);
});
