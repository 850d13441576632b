import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, cpuSeconds, memory, startHearth, temporaryFolder } from "./processes.ts";
import { sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";
import { takeTurns, tellOfSends } from "./windows.ts";

const CHANNEL = "general";
const MIB = 1 << 20;
const BOUNDARY = "hearth-bench";
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const SENDERS = 8;
const PART_MIB = 16;
/** Allowed growth of the server above its size before a file: buffers and garbage that is not collected yet. */
const MAX_GROWTH_MB = 50;

export const files: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(SENDERS + 1, (tx, users) => addChannel(tx, CHANNEL, users));
  process.env["MAX_FILE_UPLOAD_SIZE_MIB"] = "4096";
  const hearth = await startHearth(folder);
  delete process.env["MAX_FILE_UPLOAD_SIZE_MIB"];
  const [owner] = accounts as [Account];
  const mebibytes = quick ? 200 : 1024;
  const piece = randomBytes(MIB);

  // Warms up, so that code loaded by the first upload does not count as growth.
  await download(hearth, owner, await upload(hearth, owner, piece, 64));
  const megabytes = (mebibytes * MIB) / 1e6;
  const copies: number[] = [];
  const moved = { upload: [] as Moved[], download: [] as Moved[] };
  let url = "";
  // They take turns, because a busy machine is not equally fast at all times.
  for (let round = 0; round < 3; round += 1) {
    copies.push(copySpeed(mebibytes, piece));
    for (const what of ["upload", "download"] as const) {
      writeAndRemove(mebibytes, piece);
      const memoryUsed = watchMemory(hearth);
      const [start, cpu] = [performance.now(), cpuSeconds(hearth.pid)];
      if (what === "upload") url = await upload(hearth, owner, piece, mebibytes);
      else await download(hearth, owner, url);
      const speed = megabytes / ((performance.now() - start) / 1000);
      moved[what].push({ speed, growth: memoryUsed(), cpu: (cpuSeconds(hearth.pid) - cpu) / (megabytes / 1000) });
    }
  }
  for (const what of ["upload", "download"] as const) {
    const medianOf = (field: keyof Moved) => median(moved[what].map((each) => each[field]));
    tell({
      name: `${what} of ${mebibytes} MiB`,
      value: medianOf("speed"),
      unit: "MB/s",
      limits: { cp: median(copies) },
      atLeast: Number.POSITIVE_INFINITY,
      share: { of: "cp", min: 0.5 },
      more: { copies, moved },
    });
    const growth = Math.max(...moved[what].map((each) => each.growth));
    tell({ name: `memory of the ${what}`, value: growth, unit: "MB more", atMost: MAX_GROWTH_MB });
    tell({ name: `CPU of the ${what}, a GB`, value: medianOf("cpu"), unit: "s" });
  }

  // Small parts, so that transfers end soon after the window.
  const part = await upload(hearth, owner, piece, PART_MIB);
  const senders = accounts.slice(1).map((account) => sender(account, CHANNEL));
  for (const what of ["upload", "download"] as const) {
    const speeds: number[] = [];
    const turns = await takeTurns(
      { load, quick },
      { hearth, senders },
      {
        async begin() {
          const began = performance.now();
          let [isOver, count] = [false, 0];
          const moving = (async () => {
            while (!isOver) {
              if (what === "upload") await upload(hearth, owner, piece, PART_MIB);
              else await download(hearth, owner, part);
              count += 1;
            }
          })();
          return async () => {
            isOver = true;
            await moving;
            speeds.push((count * PART_MIB * MIB) / 1e6 / ((performance.now() - began) / 1000));
          };
        },
      },
    );
    const name = `beside ${what}s`;
    tellOfSends(tell, `of ${SENDERS} ${name}`, turns);
    tell({ name: `${what}s beside sends`, value: median(speeds), unit: "MB/s" });
  }
  await hearth.stop();
};

interface Moved {
  speed: number;
  growth: number;
  cpu: number;
}

function writeFile(path: string, mebibytes: number, piece: Buffer): void {
  const file = openSync(path, "w");
  for (let done = 0; done < mebibytes; done += 1) writeSync(file, piece);
  fsyncSync(file);
  closeSync(file);
}

/**
 * Touches memory first, so that the next measurement reuses it. In a virtual machine, the first use of memory costs two
 * seconds of CPU per GB.
 */
function writeAndRemove(mebibytes: number, piece: Buffer): void {
  const path = join(temporaryFolder(), "file");
  writeFile(path, mebibytes, piece);
  rmSync(path);
}

function copySpeed(mebibytes: number, piece: Buffer): number {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  writeFile(from, mebibytes, piece);
  writeAndRemove(mebibytes, piece);
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

/** Watches the server's resident memory. The returned function stops this and returns the largest growth in MB. */
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

const END_OF_HEAD = "\r\n\r\n";

/** Uses a socket and one buffer, because Node's own client takes four times the server's CPU. */
function download({ port }: Child, { authorization }: Account, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let [head, left] = ["", Number.NaN];
    const socket = connect({
      port,
      host: "127.0.0.1",
      onread: {
        buffer: Buffer.alloc(1 << 20),
        callback(count, bytes) {
          left -= count;
          if (Number.isNaN(left)) {
            head += Buffer.from(bytes.subarray(0, count)).toString("latin1");
            const end = head.indexOf(END_OF_HEAD);
            if (end < 0) return true;
            if (!head.startsWith("HTTP/1.1 200 ")) reject(new Error(`The download was refused: ${head.slice(0, 100)}`));
            left = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1]) - (head.length - end - END_OF_HEAD.length);
          }
          if (left <= 0) {
            resolve();
            socket.destroy();
          }
          return true;
        },
      },
    });
    socket.on("error", reject).on("close", () => reject(new Error("The download was cut short.")));
    socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`);
  });
}
