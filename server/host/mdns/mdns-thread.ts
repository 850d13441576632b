import { parentPort, workerData } from "node:worker_threads";
import { getResponder } from "@homebridge/ciao";
import type { Announcement, FromMdns } from "./mdns.ts";

/* A thread of its own, because the library ends its process if it cannot repeat an announcement. */

const port = parentPort;
if (!port) throw new Error("server/host/mdns/mdns-thread.ts runs as a worker thread: use server/host/mdns/mdns.ts.");
const post = (message: FromMdns) => port.postMessage(message);
const { name, hostname, servicePort, interfaces, https } = workerData as Announcement;

// Without a list, the library uses only the interface of the default route.
const responder = getResponder({ interface: [...interfaces] });
let stopping = false;
port.on("message", () => {
  stopping = true;
  // Also tells the network that the name is free.
  void responder.shutdown().finally(() => port.close());
});
void announce(1);

/** Tries `hearth`, `hearth-2`, `hearth-3` … The names that the library chooses are not valid hostnames. */
async function announce(attempt: number): Promise<void> {
  // The library does not report which of the two names is taken, so both get the number.
  const own = attempt === 1 ? { name, hostname } : { name: `${name} (${attempt})`, hostname: `${hostname}-${attempt}` };
  const service = responder.createService({
    ...own,
    type: "hearth",
    port: servicePort,
    txt: { https: https ? "yes" : "no" },
  });
  let isTaken = false;
  service.on("hostname-change", () => {
    isTaken = true;
    void service.destroy().then(() => (stopping ? undefined : announce(attempt + 1)));
  });
  try {
    await service.advertise();
    if (!isTaken) post({ ...own, hostname: `${own.hostname}.local` });
  } catch (error) {
    if (!stopping && !isTaken) throw error;
  }
}
