import { startServer } from "../../server/server.ts";

// A server whose garbage can be collected on request, with a clock that the soak advances.

export type SoakRequest = { advance: number } | "measure" | "stop";

/** In MB. `heap`, `external` and `wasm` are in use after a collection; `rss` is what the system counts. */
export interface Memory {
  heap: number;
  external: number;
  wasm: number;
  rss: number;
}

/** Node counts the memory of WebAssembly, in which SQLite is, neither as heap nor as external. */
const wasmMemories = new Set<WebAssembly.Memory>();
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (async (...given: Parameters<typeof instantiate>) => {
  const made = await instantiate(...given);
  const { exports } = "instance" in made ? (made.instance as WebAssembly.Instance) : (made as WebAssembly.Instance);
  for (const value of Object.values(exports)) if (value instanceof WebAssembly.Memory) wasmMemories.add(value);
  return made;
}) as typeof instantiate;

const MB = 1e6;

/** Several collections: finalizers of the first one release what the next one frees. */
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
