import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect as connectPlain } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import test, { before, type TestContext } from "node:test";
import { connect } from "node:tls";
import { promisify } from "node:util";
import type { CertificateProblem } from "../../server/host/https/certificate-files.ts";
import { makeLeaf, makeRoot } from "../../server/host/https/certificates.ts";
import { Https } from "../../server/host/https/https.ts";
import { LocalAuthority, loadCertificates } from "../../server/host/https/local-authority.ts";
import { firewallOf, networkProfiles } from "../../server/host/operator/reach.ts";
import { startChat } from "../support/chat.ts";
import { openSocket } from "../support/ntfy-client.ts";
import { temporaryFolder } from "../support/organization.ts";
import { until } from "../support/patience.ts";
import { lanAddress, secondMachine } from "../support/second-machine.ts";

const DAY = 86_400_000;
const MACHINE = { hostname: "Hearthbox.example", addresses: ["192.168.77.5", "203.0.113.9"] };

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Asking {
  host?: string;
  /** The source address of the request. */
  from?: string;
  ca?: string;
  /** The expected name in the certificate. */
  name?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

function ask(secure: boolean, port: number, path: string, asking: Asking = {}): Promise<Reply> {
  const { host = "127.0.0.1", from, ca, name, method = "GET", headers = {}, body } = asking;
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(
      {
        host,
        port,
        path,
        method,
        headers,
        agent: false,
        ...(from && { localAddress: from }),
        ...(ca && { ca }),
        ...(name && { servername: name }),
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
        answer.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** The certificate of a new connection, with any issuer. */
function presented(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    });
    socket.on("error", reject);
  });
}

async function secured(t: TestContext, options: Parameters<typeof startChat>[1] = {}) {
  const chat = await startChat(t, {
    unwatched: true,
    host: "0.0.0.0",
    operatorToken: "operator's own",
    ...options,
    testing: { https: { machine: () => MACHINE, check: 20 }, ...options?.testing },
  });
  const port = Number(new URL(chat.url).port);
  const change = (setting: object) => chat.as("desdemona").patch("/host/settings", { HTTPS: JSON.stringify(setting) });
  return { chat, port, change };
}

/** Repeats until the response is as expected, because some state changes on its own. */
const fitting = <T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> =>
  until(async () => {
    const value = await read();
    return fits(value) ? value : undefined;
  }, "what is expected");

before(loadCertificates);

test("clients trust a local authority only with its root certificate", async (t) => {
  const { chat, port, change } = await secured(t);
  assert.equal((await change({ use: "local authority" })).result, "success");
  const { https } = await chat.as("desdemona").get("/host/network");
  assert.deepEqual(https.names, [
    "localhost",
    "hearthbox.example",
    "hearthbox.local",
    "127.0.0.1",
    "::1",
    "192.168.77.5",
    "203.0.113.9",
  ]);
  assert.ok(Math.abs(https.ends_at - Date.now() - 60 * DAY) < DAY, `${https.ends_at}`);
  const root = await ask(false, port, "/hearth-root.crt");
  assert.equal(root.headers["content-type"], "application/x-x509-ca-cert");
  assert.equal(new X509Certificate(root.body).fingerprint256, https.root.fingerprint);
  const trusting = { ca: root.body };
  const page = await ask(true, port, "/", trusting);
  assert.equal(page.status, 200);
  for (const name of ["hearthbox.local", "hearthbox.example", "localhost"])
    assert.equal((await ask(true, port, "/api/v1/server_settings", { ...trusting, name })).status, 200);
  const settings = JSON.parse((await ask(true, port, "/api/v1/server_settings", trusting)).body);
  assert.equal(settings.realm_url, `https://127.0.0.1:${port}`);
  await assert.rejects(ask(true, port, "/"), /self-signed|unable to (verify|get)/);
  await assert.rejects(ask(true, port, "/", { ...trusting, name: "example.com" }), /does not match/);
  // The window and the command line of this machine work without it.
  assert.equal((await ask(false, port, "/api/v1/server_settings")).status, 200);
  if (process.platform !== "win32")
    assert.equal(statSync(join(chat.folder, "https/authority.pem")).mode & 0o777, 0o600);
});

test("a root made while the clock was ahead is valid", (t) => {
  const { root } = LocalAuthority.in(temporaryFolder(t), Date.now() + 400 * 86_400_000, MACHINE);
  assert.ok(root.validFromDate.getTime() < Date.now());
});

test("reports an authority from the future without replacing it", async (t) => {
  const folder = temporaryFolder(t);
  const { root } = LocalAuthority.in(folder, Date.now(), MACHINE);
  let now = root.validFromDate.getTime() - 1000;
  const https = await Https.start({
    dataFolder: folder,
    setting: () => ({ use: "local authority" }),
    now: () => now,
    report: () => {},
    machine: () => MACHINE,
  });
  t.after(() => https.stop());
  assert.equal(https.state.refusal?.code, "early authority");
  assert.ok(https.credentials);
  now = Date.now();
  https.refresh();
  assert.deepEqual([https.state.problem, https.state.root?.fingerprint256], [undefined, root.fingerprint256]);
});

test("a certificate follows IP addresses and time without a restart", async (t) => {
  let now = Date.now();
  const machine = { ...MACHINE };
  const { port, change } = await secured(t, {
    now: () => now,
    testing: { https: { machine: () => machine, check: 20 } },
  });
  assert.equal((await change({ use: "local authority" })).result, "success");
  const first = await presented(port);
  assert.match(first.subjectAltName ?? "", /192\.168\.77\.5/);
  machine.addresses = ["10.9.8.7", "203.0.113.77"]; // the root predates the second address
  const moved = await fitting(
    () => presented(port),
    ({ serialNumber }) => serialNumber !== first.serialNumber,
  );
  assert.match(moved.subjectAltName ?? "", /10\.9\.8\.7/);
  assert.doesNotMatch(moved.subjectAltName ?? "", /192\.168|203\.0/);
  now += 39 * DAY;
  assert.equal((await presented(port)).serialNumber, moved.serialNumber);
  now += 2 * DAY;
  const renewed = await fitting(
    () => presented(port),
    ({ serialNumber }) => serialNumber !== moved.serialNumber,
  );
  assert.ok(renewed.validToDate.getTime() > now + 50 * DAY);
});

test("rereads a custom certificate when its files change", async (t) => {
  const { chat, port, change } = await secured(t);
  const folder = temporaryFolder(t);
  const files = { certificate: join(folder, "chat.crt"), key: join(folder, "chat.key") };
  const lifetime = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + 30 * DAY) };
  const root = makeRoot({ name: "Test", names: ["example.com"], networks: [], ...lifetime });
  const write = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const make = (until = lifetime.until) => {
    const { certificate, key } = makeLeaf(root, {
      name: "chat.example.com",
      names: ["chat.example.com"],
      from: lifetime.from,
      until,
    });
    return { certificate: certificate.toString(), key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  };
  const refusals: string[] = [];
  const refusal = async () => {
    const answer = await change({ use: "files", ...files });
    assert.equal(answer.status, 400);
    assert.equal(answer["var_name"], "HTTPS");
    refusals.push((answer["refusal"] as CertificateProblem).code);
    return answer.msg;
  };
  assert.equal(await refusal(), `There is no file ${files.certificate}.`);
  const [first, second] = [make(), make()];
  write(files.certificate, first.certificate);
  assert.equal(await refusal(), `There is no file ${files.key}.`);
  write(files.key, "hello");
  assert.match(await refusal(), /chat\.key holds no private key in PEM form/);
  write(files.key, first.key.replaceAll("BEGIN ", "BEGIN ENCRYPTED "));
  assert.match(await refusal(), /locked by a passphrase/);
  write(files.key, second.key);
  assert.match(await refusal(), /chat\.key does not belong to the certificate in .+chat\.crt/);
  write(files.certificate, first.key);
  assert.match(await refusal(), /chat\.crt holds no certificate in PEM form/);
  const ended = make(new Date(Date.now() - 1000));
  write(files.certificate, ended.certificate);
  write(files.key, ended.key);
  assert.match(await refusal(), /chat\.crt ended on \d{4}-\d\d-\d\d\./);
  assert.deepEqual(refusals, ["missing", "missing", "no key", "locked key", "other key", "no certificate", "ended"]);
  assert.equal((await chat.as("desdemona").get("/host/settings"))["settings"].HTTPS.use, "off");

  write(files.certificate, first.certificate);
  write(files.key, first.key);
  assert.equal((await change({ use: "files", ...files })).result, "success");
  assert.equal((await presented(port)).toString(), first.certificate);
  // A renewal writes one file after the other. Until both fit, the previous pair is used.
  write(files.certificate, second.certificate);
  const network = () => chat.as("desdemona").get("/host/network");
  const torn = await fitting(network, ({ https }) => https.problem !== null);
  assert.match(torn["https"].problem, /does not belong/);
  assert.deepEqual(torn["https"].refusal, { code: "other key", file: files.key, detail: files.certificate });
  assert.equal((await presented(port)).toString(), first.certificate);
  write(files.key, second.key);
  await fitting(network, ({ https }) => https.problem === null);
  assert.equal((await presented(port)).toString(), second.certificate);
});

test("redirects unencrypted requests from other machines to HTTPS without reading them", async (t) => {
  const lan = lanAddress(t);
  if (!lan) return;
  const { chat, port, change } = await secured(t);
  // A request between two addresses of this machine is not local.
  const other = { host: "127.0.0.1", from: lan, headers: { host: `hearthbox.local:${port}` } };
  const sent = { ...other, method: "POST", body: "content=hello&to=iago&type=direct" };
  const { authorization } = { authorization: `Basic ${btoa(`${chat.as("hamlet").email}:${chat.as("hamlet").key}`)}` };
  const headers = { ...other.headers, authorization, "content-type": "application/x-www-form-urlencoded" };
  assert.equal((await ask(false, port, "/api/v1/users/me", { ...other, headers })).status, 200);
  await change({ use: "local authority" });
  const page = await ask(false, port, "/join/abc/?x=1", other);
  assert.equal(page.status, 307);
  assert.equal(page.headers.location, `https://hearthbox.local:${port}/join/abc/?x=1`);
  for (const path of ["/api/v1/users/me", "/host/session"]) {
    const refused = await ask(false, port, path, { ...other, headers });
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.body).code, "HTTPS_NEEDED");
  }
  assert.equal((await ask(false, port, "/api/v1/messages", { ...sent, headers })).status, 403);
  assert.equal(chat.server.app.store.reader.value("SELECT count(*) FROM messages WHERE content = 'hello'"), 0);
  const { body: ca } = await ask(false, port, "/hearth-root.crt", other);
  assert.equal(
    (await ask(true, port, "/api/v1/users/me", { ...other, headers, ca, name: "hearthbox.local" })).status,
    200,
  );
  // A request with a foreign hostname is not redirected.
  const stranger = await ask(false, port, "/", { ...other, headers: { host: "evil.example" } });
  assert.equal(stranger.status, 421);
  await change({ use: "off" });
  assert.equal((await ask(false, port, "/api/v1/users/me", { ...other, headers })).status, 200);
  assert.equal((await ask(false, port, "/hearth-root.crt")).status, 404);
});

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** A server with its local authority, and requests of another machine over HTTP. Undefined without a network. */
async function askedByOthers(t: TestContext) {
  const from = lanAddress(t);
  if (!from) return undefined;
  const { port, change } = await secured(t);
  await change({ use: "local authority" });
  const asked = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    ask(false, port, path, {
      host: "127.0.0.1",
      from,
      method,
      headers: { host: `hearthbox.local:${port}`, ...headers },
    });
  return { port, change, asked };
}

test("browsers of other machines get the trust page, and programs a redirect", async (t) => {
  const others = await askedByOthers(t);
  if (!others) return;
  const { port, asked } = others;
  for (const path of ["/", "/admin/", "/join/abc/?x=1", "/reset/", "/unknown/page"]) {
    const page = await asked(path, BROWSER);
    assert.equal(page.status, 200, path);
    assert.match(
      page.body,
      new RegExp(`data-origin="https://hearthbox.local:${port}" data-fingerprint="(?:..:){31}..`),
    );
    assert.equal((await asked(path, { accept: "*/*" })).status, 307, path);
  }
});

test("the trust page is for reading only, has its scripts, and ends with HTTPS", async (t) => {
  const others = await askedByOthers(t);
  if (!others) return;
  const { change, asked } = others;
  assert.equal((await asked("/", BROWSER, "HEAD")).status, 200);
  assert.equal((await asked("/", BROWSER, "POST")).status, 403);
  assert.equal((await asked("/api/v1/server_settings", BROWSER)).status, 403);
  const [script = ""] = /assets\/trust-[\w-]+\.js/.exec((await asked("/", BROWSER)).body) ?? [];
  assert.equal((await asked(`/${script}`)).status, 200);
  await change({ use: "off" });
  assert.doesNotMatch((await asked("/", BROWSER)).body, /data-fingerprint/);
});

test("the trust page continues at a name that the certificate covers", async (t) => {
  const lan = lanAddress(t);
  if (!lan) return;
  const machine = { hostname: "hearthbox", addresses: [] };
  const { port, change } = await secured(t, { testing: { https: { machine: () => machine, check: 20 } } });
  await change({ use: "local authority" });
  const originFor = async (host: string) => {
    const headers = { host, accept: "text/html" };
    const { body } = await ask(false, port, "/", { host: "127.0.0.1", from: lan, headers });
    return /data-origin="([^"]*)"/.exec(body)?.[1];
  };
  assert.equal(await originFor(`hearthbox.local:${port}`), `https://hearthbox.local:${port}`);
  // The certificate has no name without a domain.
  assert.equal(await originFor(`${hostname()}:${port}`), `https://127.0.0.1:${port}`);
  assert.equal(await originFor("hearthbox.local"), "https://hearthbox.local:80");
});

test("with your own certificate, browsers are redirected", async (t) => {
  const lan = lanAddress(t);
  if (!lan) return;
  const { port, change } = await secured(t);
  const folder = temporaryFolder(t);
  const files = { certificate: join(folder, "chat.crt"), key: join(folder, "chat.key") };
  const lifetime = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + 30 * DAY) };
  const root = makeRoot({ name: "Test", names: ["example.com"], networks: [], ...lifetime });
  const { certificate, key } = makeLeaf(root, { name: "chat.example.com", names: ["chat.example.com"], ...lifetime });
  writeFileSync(files.certificate, certificate.toString());
  writeFileSync(files.key, key.export({ type: "pkcs8", format: "pem" }).toString());
  assert.equal((await change({ use: "files", ...files })).result, "success");
  const headers = { host: `hearthbox.local:${port}`, accept: "text/html" };
  const page = await ask(false, port, "/?x=1", { host: "127.0.0.1", from: lan, headers });
  assert.deepEqual([page.status, page.headers.location], [307, `https://hearthbox.local:${port}/?x=1`]);
  const asset = await ask(false, port, "/assets/x.js", { host: "127.0.0.1", from: lan, headers });
  assert.equal(asset.status, 307);
  const profile = await ask(false, port, "/hearth-root.mobileconfig", { host: "127.0.0.1", from: lan, headers });
  assert.equal(profile.status, 404);
});

test("the profile for iPhones contains the root", async (t) => {
  const { chat, port, change } = await secured(t);
  await change({ use: "local authority" });
  const profile = await ask(false, port, "/hearth-root.mobileconfig");
  assert.equal(profile.headers["content-type"], "application/x-apple-aspen-config");
  assert.match(profile.headers["content-disposition"] ?? "", /filename="hearth-root\.mobileconfig"/);
  const [, content = ""] = /<data>([^<]+)<\/data>/.exec(profile.body) ?? [];
  const { https } = await chat.as("desdemona").get("/host/network");
  assert.equal(new X509Certificate(Buffer.from(content, "base64")).fingerprint256, https.root.fingerprint);
  assert.match(profile.body, /<string>com\.apple\.security\.root<\/string>/);
  const ids = [...profile.body.matchAll(/<string>([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})<\/string>/g)];
  assert.equal(new Set(ids.map(([, id]) => id)).size, 2);
  assert.equal((await ask(false, port, "/hearth-root.mobileconfig")).body, profile.body);
});

test("without a certificate, the network gets no response", async (t) => {
  const lan = lanAddress(t);
  if (!lan) return;
  process.env["HTTPS"] = JSON.stringify({ use: "files", certificate: "/nowhere/a.crt", key: "/nowhere/a.key" });
  t.after(() => delete process.env["HTTPS"]);
  const { chat, port } = await secured(t);
  const { https } = await chat.as("desdemona").get("/host/network");
  assert.equal(https.problem, "There is no file /nowhere/a.crt.");
  await assert.rejects(presented(port), /ECONNRESET|disconnected/);
  assert.equal((await ask(false, port, "/host/session", { from: lan })).status, 403);
  const fixed = await chat.as("desdemona").patch("/host/settings", { HTTPS: JSON.stringify({ use: "off" }) });
  assert.match(fixed.msg, /environment variable.+HTTPS/);
});

test("HTTPS sessions use a cookie for HTTPS only", async (t) => {
  const { port, change } = await secured(t);
  await change({ use: "local authority" });
  const { body: ca } = await ask(false, port, "/hearth-root.crt");
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: `https://127.0.0.1:${port}` };
  const body = "username=desdemona%40example.com&password=secret-desdemona";
  const signedIn = await ask(true, port, "/host/session", { ca, method: "POST", headers, body });
  assert.equal(signedIn.status, 200, signedIn.body);
  const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
  assert.match(
    cookie,
    new RegExp(`^__Host-hearth_session_${port}=[\\w-]+; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict; Secure$`),
  );
  const session = cookie.split(";")[0] as string;
  const me = (secure: boolean) => ask(secure, port, "/api/v1/users/me", { ca, headers: { cookie: session } });
  assert.equal((await me(true)).status, 200);
  assert.equal((await me(false)).status, 401);
});

test("event queues work over HTTPS", async (t) => {
  const { chat, port, change } = await secured(t);
  await change({ use: "local authority" });
  const iago = await chat.register("iago");
  const { body: ca } = await ask(false, port, "/hearth-root.crt");
  const headers = { authorization: `Basic ${btoa(`${chat.as("iago").email}:${chat.as("iago").key}`)}` };
  const last = iago.state["last_event_id"];
  const held = ask(true, port, `/api/v1/events?queue_id=${iago.queueId}&last_event_id=${last}`, { ca, headers });
  const content = "x".repeat(9000);
  await chat.as("hamlet").post("/messages", { type: "direct", to: JSON.stringify([chat.ids["iago"]]), content });
  const { events } = JSON.parse((await held).body);
  assert.equal(
    events.find(({ type }: { type: string }) => type === "message").message.content.length,
    content.length + 7,
  );
  assert.equal((await chat.as("desdemona").get("/host/network"))["connections"].open >= 1, true);
});

test("connections without a request do not delay a stop", async (t) => {
  const { chat, port, change } = await secured(t);
  await change({ use: "local authority" });
  const silent = connectPlain(port, "127.0.0.1");
  const half = connectPlain(port, "127.0.0.1", () => half.write(Buffer.from([0x16, 3, 1])));
  const closed = [silent, half].map(
    (socket) => new Promise((resolve) => socket.on("error", () => {}).on("close", resolve)),
  );
  await presented(port); // earlier connections have been accepted
  const began = performance.now();
  await chat.server.close();
  assert.ok(performance.now() - began < 3000);
  await Promise.all(closed);
});

test("only owners and the operator change the network settings", async (t) => {
  const { chat } = await secured(t);
  for (const name of ["iago", "hamlet", "polonius"]) {
    const refused = await chat.as(name).patch("/host/settings", { HTTPS: JSON.stringify({ use: "local authority" }) });
    assert.equal(refused.result, "error", name);
  }
  assert.equal(existsSync(join(chat.folder, "https")), false);
  const [row] = (await chat.as("desdemona").get("/host/network"))["listening"].addresses;
  if (row) assert.match(row.url, /^http:/);
  await chat.as("desdemona").patch("/host/settings", { HTTPS: JSON.stringify({ use: "local authority" }) });
  for (const { url } of (await chat.as("desdemona").get("/host/network"))["listening"].addresses)
    assert.match(url, /^https:/);
  assert.equal(readFileSync(join(chat.folder, "https/authority.pem"), "utf8").includes("PRIVATE KEY"), true);
});

test("a second machine trusts the root and follows a new IP address", async (t) => {
  const other = secondMachine(t);
  if (!other) return;
  const { chat, port, change } = await secured(t, { testing: { https: { check: 20 } } });
  await change({ use: "local authority" });
  // Runs in the background, because this process serves the request.
  const curl = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("ip", [
      ...other.netns,
      "curl",
      "-sS",
      "-i",
      "--max-time",
      "20",
      ...args,
    ]).catch((error: { stderr: string }) => ({ stdout: error.stderr }));
    return stdout;
  };
  const reach = async () => chat.as("desdemona").post("/host/network/check");
  const alone = await reach();
  assert.equal(alone["other_machine_at"], null);
  const found = alone["addresses"].find((one: { url: string }) => one.url === `https://${other.address}:${port}`);
  assert.deepEqual(found, {
    url: `https://${other.address}:${port}`,
    interface: other.interface,
    problem: null,
    profile: null,
  });
  const root = join(temporaryFolder(t), "root.crt");
  const url = () => `https://${other.address}:${port}`;
  const plain = `http://${other.address}:${port}`;
  assert.match(await curl(`${plain}/`), new RegExp(`307 [\\s\\S]+location: ${url()}/`));
  assert.match(await curl(`${plain}/api/v1/server_settings`), /403 [\s\S]+HTTPS_NEEDED/);
  const seen = (await reach())["other_machine_at"];
  assert.ok(Date.now() - seen < 60_000, `${seen}`);
  await curl(`${plain}/hearth-root.crt`, "-o", root);
  assert.match(await curl(`${url()}/api/v1/server_settings`), /certificate|SSL/);
  const answer = () => curl("--cacert", root, `${url()}/api/v1/server_settings`);
  assert.match(await answer(), new RegExp(`200 OK[\\s\\S]+"realm_url":"${url()}"`));
  other.readdress(other.address.replace(/1$/, "9"));
  assert.match(await fitting(answer, (text) => text.includes("200 OK")), new RegExp(`"realm_url":"${url()}"`));
});

const systemAt = (platform: NodeJS.Platform, files: Record<string, string> = {}, profiles = "") => ({
  platform,
  exists: (path: string) => path in files,
  text: (path: string) => files[path],
  program: "C:\\Ann's\\Hearth.exe",
  powerShell: async () => profiles,
});

test("names a firewall and the commands that open it", () => {
  const on = (platform: NodeJS.Platform, files?: Record<string, string>) => firewallOf(systemAt(platform, files), 9400);
  const ufw = "/etc/ufw/ufw.conf";
  assert.deepEqual(on("linux", { [ufw]: "# on at boot\nENABLED=yes\nLOGLEVEL=low" }), {
    kind: "ufw",
    is_on: true,
    commands: ["sudo ufw allow 9400/tcp"],
  });
  assert.equal(on("linux", { [ufw]: "ENABLED=no" }).is_on, false);
  assert.deepEqual(on("linux", { [ufw]: "ENABLED=no", "/run/firewalld": "" }), {
    kind: "firewalld",
    is_on: true,
    commands: ["sudo firewall-cmd --permanent --add-port=9400/tcp && sudo firewall-cmd --reload"],
  });
  assert.deepEqual(on("linux"), { kind: "unknown", is_on: null, commands: [] });
  assert.equal(on("darwin").kind, "macos");
});

test("opens Windows' firewall on private networks only", () => {
  const commands = firewallOf(systemAt("win32"), 9400).commands;
  assert.deepEqual(commands, [
    "Get-NetFirewallApplicationFilter -Program 'C:\\Ann''s\\Hearth.exe' -ErrorAction SilentlyContinue | Get-NetFirewallRule | Where-Object Action -eq Block | Remove-NetFirewallRule",
    "New-NetFirewallRule -DisplayName Hearth -Direction Inbound -Action Allow -Protocol TCP -LocalPort 9400 -Profile Private,Domain",
  ]);
  assert.deepEqual(firewallOf(systemAt("win32"), 9400, ["Wi-Fi 2"]).commands, [
    ...commands,
    "Set-NetConnectionProfile -InterfaceAlias 'Wi-Fi 2' -NetworkCategory Private",
  ]);
});

test("reads the profiles of Windows' networks", async () => {
  const printed = "\ufeffPublic Wi-Fi 2\r\nDomainAuthenticated Büro\r\nPrivate Ethernet\r\n\r\nGet-X : failed\r\n";
  assert.deepEqual(await networkProfiles(systemAt("win32", {}, printed)), {
    "Wi-Fi 2": "public",
    Büro: "domain",
    Ethernet: "private",
  });
  assert.deepEqual(await networkProfiles(systemAt("linux", {}, printed)), {});
});

test("only owners and the operator test reachability", async (t) => {
  const { chat } = await secured(t, { host: "127.0.0.1" });
  for (const name of ["iago", "hamlet"])
    assert.equal((await chat.as(name).post("/host/network/check")).result, "error", name);
  const answer = await chat.as("desdemona").post("/host/network/check");
  assert.deepEqual(answer["addresses"], [], "nobody else could connect");
});

test("phones subscribe over HTTPS, and not over HTTP", async (t) => {
  const lan = lanAddress(t);
  if (!lan) return;
  const { chat, port, change } = await secured(t);
  const { ntfy } = await chat.as("hamlet").post("/users/me/ntfy");
  await change({ use: "local authority" });
  const { body: ca } = await ask(false, port, "/hearth-root.crt");
  const socket = await openSocket(t, `https://127.0.0.1:${port}/${ntfy.topic}/ws`, { ca });
  await chat.as("othello").post("/messages", { type: "direct", to: [chat.ids["hamlet"]], content: "sealed" });
  const event = await socket.next();
  assert.equal(event?.message, "sealed");
  assert.match(event?.click ?? "", new RegExp(`^https://127\\.0\\.0\\.1:${port}/#narrow/`));
  await assert.rejects(openSocket(t, `http://127.0.0.1:${port}/${ntfy.topic}/ws`, { localAddress: lan }), /403/);
  const stream = await ask(false, port, `/${ntfy.topic}/json`, { from: lan });
  assert.equal(stream.headers.location, `https://127.0.0.1:${port}/${ntfy.topic}/json`);
});
