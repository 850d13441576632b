import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { takeLock } from "../../server/host/supervisor/lock.ts";
import { writeHostFile } from "../../server/host/supervisor/running-server.ts";
import { endBeforeRemoval } from "./server-process.ts";

/** Uses a folder of `emptyFolder` like a running server until the test ends. Returns the server's URL. */
export async function useFolder(t: TestContext, folder: string): Promise<string> {
  const lock = takeLock(folder);
  const server = createServer((_request, response) => response.end('{"result":"success"}'));
  endBeforeRemoval(t, async () => {
    server.close();
    lock.release();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeHostFile(folder, { url, token: "secret", pid: process.pid });
  return url;
}
