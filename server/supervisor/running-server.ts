import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { withPath } from "../storage/disk-errors.ts";
import { localUrl } from "./listening.ts";

/** What `host.json` holds while a server runs in a folder; for the folder's owner only. */
interface HostFile {
  url: string;
  /** The operator's. */
  token: string;
  pid: number;
}

const hostFileIn = (folder: string): string => `${folder}/host.json`;

/** Throws the errors of the disk. */
export function writeHostFile(folder: string, content: HostFile): void {
  const path = hostFileIn(folder);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw withPath(error, path);
  }
}

/** Throws the errors of the disk. */
export const removeHostFile = (folder: string): void => rmSync(hostFileIn(folder), { force: true });

function parsed(text: string, path: string): HostFile {
  try {
    return JSON.parse(text) as HostFile;
  } catch {
    throw new Error(`${path} is damaged. Restart the server, which writes it again.`);
  }
}

export type CallServer = <Answer>(method: string, path: string, body?: URLSearchParams) => Promise<Answer>;

/**
 * Calls of the server that runs in a folder, as its operator. Throws an Error for users if none runs; the calls do so
 * too, and throw what the server says of a refusal.
 */
export function callsTo(folder: string): CallServer {
  const notRunning = new Error(`No server runs in ${folder}. Start it with "hearth serve" first.`);
  const path = hostFileIn(folder);
  if (!existsSync(path)) throw notRunning;
  const file = readFileSync(path, "utf8");
  if (file === "") throw notRunning; // the remains of a power failure
  const { url, token } = parsed(file, path);
  const { hostname, port } = new URL(url);
  const address = localUrl({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) }) ?? url;
  return async <Answer>(method: string, path: string, body?: URLSearchParams) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = fetch(`${address}${path}`, { method, headers, ...(body && { body }) });
    const answer = (await response
      .then((one) => one.json())
      .catch(() => {
        throw notRunning; // a killed server left host.json; another program may have its port
      })) as Answer & { result: string; msg: string };
    if (answer.result !== "success") throw new Error(answer.msg);
    return answer;
  };
}
