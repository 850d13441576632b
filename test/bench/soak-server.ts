import { startServer } from "../../server/server.ts";

// A server with garbage collection on request and a clock that the soak advances.

export type SoakRequest = { advance: number } | "measure" | "stop";

/** MB. `heap`, `external` and `wasm` are in use after a collection; `rss` is the system's count. */
export interface Memory {
  heap: number;
  external: number;
  wasm: number;
  rss: number;
}

/** Node counts WebAssembly memory, which contains SQLite, neither as heap nor as external. */
const wasmMemories = new Set<WebAssembly.Memory>();
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (async (...given: Parameters<typeof instantiate>) => {
  const made = await instantiate(...given);
  const { exports } = "instance" in made ? (made.instance as WebAssembly.Instance) : (made as WebAssembly.Instance);
  for (const value of Object.values(exports)) if (value instanceof WebAssembly.Memory) wasmMemories.add(value);
  return made;
}) as typeof instantiate;

const MB = 1e6;

/** Collects several times, because finalizers release objects for the next collection. */
async function measure(): Promise<Memory> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const wasm = [...wasmMemories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed / MB, external: external / MB, wasm: wasm / MB, rss: rss / MB };
}

const [dataFolder = ""] = process.argv.slice(2);
const begun = Date.now();
let advanced = 0;
const server = await startServer({
  dataFolder,
  port: 0,
  rateLimit: "off",
  now: () => begun + advanced + Math.floor(performance.now()),
  testing: { mdns: false },
});
process.on("message", (request: SoakRequest) => {
  if (request === "measure") void measure().then((memory) => process.send?.(memory));
  else if (request === "stop") void server.close().then(() => process.exit());
  else advanced += request.advance;
});
process.send?.(server.url);
