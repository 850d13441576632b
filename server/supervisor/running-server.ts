import { existsSync, readFileSync } from "node:fs";
import { localUrl } from "./listening.ts";

export type CallServer = <Answer>(method: string, path: string, body?: URLSearchParams) => Promise<Answer>;

/**
 * Calls of the server that runs in a folder, as its operator. Throws an Error for users if none runs; the calls do so
 * too, and throw what the server says of a refusal.
 */
export function callsTo(folder: string): CallServer {
  const notRunning = new Error(`No server runs in ${folder}. Start it with "hearth serve" first.`);
  if (!existsSync(`${folder}/host.json`)) throw notRunning;
  const file = readFileSync(`${folder}/host.json`, "utf8");
  if (file === "") throw notRunning; // the remains of a power failure
  const { url, token } = JSON.parse(file) as { url: string; token: string };
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
