import { createClient } from "./client.ts";
import { LiveHub, type Port } from "./live-hub.ts";

// The SharedWorker that holds the connections of all tabs of a browser.

interface SharedWorkerScope {
  onconnect: (event: MessageEvent) => void;
}

// The worker ends with the last tab. `keepalive` lets the deletion of the event queue outlive it.
const client = createClient({
  fetch: (url, init) => fetch(url, init?.method === "DELETE" ? { ...init, keepalive: true } : init),
});
const hub = new LiveHub({ client });
(globalThis as unknown as SharedWorkerScope).onconnect = ({ ports }) => hub.connect(ports[0] as unknown as Port);
