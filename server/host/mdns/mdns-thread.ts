import { parentPort, workerData } from "node:worker_threads";
import { getResponder } from "@homebridge/ciao";
import type { Announcement, FromMdns } from "./mdns.ts";

/*
 * A thread of its own, since the library ends its process where it cannot announce a service again: that may cost the
 * name, and never the chat.
 */

const port = parentPort;
if (!port) throw new Error("server/host/mdns/mdns-thread.ts runs as a worker thread: use server/host/mdns/mdns.ts.");
const post = (message: FromMdns) => port.postMessage(message);
const { name, hostname, servicePort, interfaces, https } = workerData as Announcement;

// Without a list of interfaces the library takes that of the default route only.
const responder = getResponder({ interface: [...interfaces] });
let stopping = false;
port.on("message", () => {
  stopping = true;
  // Tells the network that the name is free again.
  void responder.shutdown().finally(() => port.close());
});
void announce(1);

/** Under the name itself, or the first free one of `hearth-2`, `hearth-3` …: what the library makes is no host name. */
async function announce(attempt: number): Promise<void> {
  // The library does not say which of the two is taken, so both get the number.
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
