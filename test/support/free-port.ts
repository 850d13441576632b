import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral ports: from 32768 on Linux, from 49152 elsewhere. */
const PORTS = { from: 20_000, to: 30_000 };

/**
 * A port that stays free until the test opens it. An ephemeral port would not: parallel tests listen on and connect
 * from ephemeral ports, and could take it first.
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
