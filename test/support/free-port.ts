import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems hand out by themselves: from 32768 on Linux, from 49152 elsewhere. */
const PORTS = { from: 20_000, to: 30_000 };

/**
 * A port that is free, and stays so until the test opens it. One that the system picks would not: tests beside this one
 * listen at any free port and connect from any free port, and would get it in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer().listen(port);
    try {
      await once(server, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
