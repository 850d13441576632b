import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, asked } from "./http-requests.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, startHearth, temporaryFolder } from "./processes.ts";

const MB = 1 << 20;
const SIZE = 192 * MB;
/** Smaller than two log segments. */
const LEFT = 24 * MB;

/** A running server on a separate disk that is nearly full. */
export interface FullDisk {
  readonly hearth: Child;
  accounts: readonly Account[];
  /** Frees space and restarts the server. */
  makeRoom(): Promise<void>;
  storedTopics(): Promise<number>;
  remove(): Promise<void>;
}

/** @throws Error if this process cannot mount a disk in memory, which needs root on Linux. */
export async function startOnFullDisk(people: number): Promise<FullDisk> {
  const disk = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "hearth-bench", disk], { stdio: "pipe" });
  const unmount = () => {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  };
  try {
    const folder = join(disk, "data");
    mkdirSync(folder);
    const fill = (tx: Parameters<typeof addChannel>[0], users: Parameters<typeof addChannel>[2]) => {
      addChannel(tx, "general", users);
    };
    const { accounts } = await makeOrganization(people, fill, folder);
    let hearth = await startHearth(folder);
    const { bavail, bsize } = statfsSync(disk);
    const ballast = join(disk, "ballast");
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - LEFT)));
    const owner = accounts[0] as Account;
    return {
      get hearth() {
        return hearth;
      },
      accounts,
      async makeRoom() {
        rmSync(ballast);
        await hearth.stop();
        hearth = await startHearth(folder);
      },
      async storedTopics() {
        const channels = JSON.parse((await ask(asked(owner, "GET", "/streams"), hearth.port)).body).streams;
        const { stream_id: id } = channels.find(({ name }: { name: string }) => name === "general");
        return JSON.parse((await ask(asked(owner, "GET", `/users/me/${id}/topics`), hearth.port)).body).topics.length;
      },
      async remove() {
        await hearth.stop();
        unmount();
      },
    };
  } catch (error) {
    unmount();
    throw error;
  }
}
