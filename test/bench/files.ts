import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { Figure } from "./figures.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, memory, startHearth, temporaryFolder } from "./processes.ts";
import { sender } from "./requests.ts";
import type { Section } from "./section.ts";

const CHANNEL = "general";
const MIB = 1 << 20;
const BOUNDARY = "hearth-bench";
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const SENDERS = 8;
/** What a server may hold beside what it held before a file came: buffers, and garbage that is not collected yet. */
const MAX_GROWTH_MB = 50;

/** Uploads and downloads of 1 GB beside `cp`, what they take of memory, and sends meanwhile. */
export const files: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(SENDERS + 1, (tx, users) => addChannel(tx, CHANNEL, users));
  process.env["MAX_FILE_UPLOAD_SIZE_MIB"] = "4096";
  const hearth = await startHearth(folder);
  delete process.env["MAX_FILE_UPLOAD_SIZE_MIB"];
  const [owner] = accounts as [Account];
  const mebibytes = quick ? 200 : 1024;
  const piece = randomBytes(MIB);

  // Warm: what the first upload loads and compiles is no growth.
  await download(hearth, owner, await upload(hearth, owner, piece, 64));
  const copied = copySpeed(mebibytes, piece);
  const megabytes = (mebibytes * MIB) / 1e6;
  let url = "";
  for (const what of ["upload", "download"] as const) {
    const memoryUsed = watchMemory(hearth);
    const start = performance.now();
    if (what === "upload") url = await upload(hearth, owner, piece, mebibytes);
    else await download(hearth, owner, url);
    const speed = megabytes / ((performance.now() - start) / 1000);
    const growth = memoryUsed();
    tell({
      name: `${what} of ${mebibytes} MiB`,
      value: speed,
      unit: "MB/s",
      limits: { cp: copied },
      atLeast: Number.POSITIVE_INFINITY,
      share: { of: "cp", min: 0.5 },
    });
    tell({ name: `memory of the ${what}`, value: growth, unit: "MB more", atMost: MAX_GROWTH_MB });
  }

  const senders = accounts.slice(1).map((account) => sender(account, CHANNEL));
  const sendsPerSecond = async () => {
    const { sent, seconds } = await load.run({
      task: "sends",
      port: hearth.port,
      senders,
      pollers: [],
      seconds: quick ? 2 : 8,
      warmUp: quick ? 1 : 2,
    });
    return sent / seconds;
  };
  await sendsPerSecond();
  for (const what of ["upload", "download"] as const) {
    const alone = await sendsPerSecond();
    let busy = true;
    let moved = 0;
    const moving = (async () => {
      while (busy) {
        if (what === "upload") await upload(hearth, owner, piece, 64);
        else await download(hearth, owner, url);
        moved += what === "upload" ? 64 : mebibytes;
      }
    })();
    const start = performance.now();
    const meanwhile = await sendsPerSecond();
    busy = false;
    await moving;
    const figure: Figure = {
      name: `sends during an ${what}`.replace("an d", "a d"),
      value: meanwhile,
      unit: "/s",
      limits: { alone },
      atLeast: Number.POSITIVE_INFINITY,
      share: { of: "alone", min: 0.9 },
      more: { movedMBPerSecond: (moved * MIB) / 1e6 / ((performance.now() - start) / 1000) },
    };
    tell(figure);
  }
  await hearth.stop();
};

/** MB a second of `cp` and a flush: what an upload does with the bytes. */
function copySpeed(mebibytes: number, piece: Buffer): number {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  const source = openSync(from, "w");
  for (let done = 0; done < mebibytes; done += 1) writeSync(source, piece);
  fsyncSync(source);
  closeSync(source);
  const start = performance.now();
  execFileSync("cp", ["--reflink=never", from, to]);
  const copy = openSync(to, "r+");
  fsyncSync(copy);
  closeSync(copy);
  const seconds = (performance.now() - start) / 1000;
  const { size } = statSync(to);
  rmSync(from);
  rmSync(to);
  return size / 1e6 / seconds;
}

/** Watches the server's resident memory; the returned function ends that and gives its largest growth in MB. */
function watchMemory({ pid }: Child): () => number {
  const before = memory(pid);
  let most = before;
  const look = () => {
    most = Math.max(most, memory(pid));
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    return most - before;
  };
}

const agent = new Agent({ keepAlive: false });

async function upload(hearth: Child, account: Account, piece: Buffer, mebibytes: number): Promise<string> {
  const headers = {
    authorization: account.authorization,
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": HEAD.length + mebibytes * MIB + TAIL.length,
  };
  const sending = request(`${hearth.url}/api/v1/user_uploads`, { method: "POST", agent, headers });
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  sending.write(HEAD);
  for (let done = 0; done < mebibytes; done += 1) if (!sending.write(piece)) await once(sending, "drain");
  sending.end(TAIL);
  const [response] = await answered;
  const { url, msg } = (await json(response)) as { url?: string; msg: string };
  if (url === undefined) throw new Error(`The upload was refused: ${msg}`);
  return url;
}

async function download(hearth: Child, { authorization }: Account, url: string): Promise<void> {
  const asking = request(`${hearth.url}${url}`, { agent, headers: { authorization } }).end();
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The download was refused: ${response.statusCode}`);
  response.resume();
  await once(response, "end");
}
