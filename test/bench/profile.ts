import { readFileSync } from "node:fs";

// Prints where a server spent its time: node test/bench/profile.ts FILE.cpuprofile
// Self time by file and by function, and total time of our own functions, as shares of the time that was not idle.
// "(program)" is native code and system calls.
interface Node {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}
const [path = ""] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(path, "utf8")) as { nodes: Node[]; samples: number[]; timeDeltas: number[] };
const byId = new Map(profile.nodes.map((node) => [node.id, node]));
const ownTimes = new Map<number, number>();
for (const [index, id] of profile.samples.entries())
  ownTimes.set(id, (ownTimes.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0));

const [files, functions, whole] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
const add = (times: Map<string, number>, name: string, time: number) => times.set(name, (times.get(name) ?? 0) + time);

/** Total time of a call. A recursive function is counted once. */
function walk(node: Node, above: ReadonlySet<string>): number {
  const { functionName, url, lineNumber } = node.callFrame;
  if (functionName === "(idle)") return 0;
  const file = url === "" ? "V8" : url.replace(/^.*\/(?=server\/|node_modules\/|app\/[^/]*$)/, "");
  const name = `${(functionName || "(anonymous)").slice(0, 60)} ${file}:${lineNumber + 1}`;
  const own = ownTimes.get(node.id) ?? 0;
  add(files, file, own);
  add(functions, name, own);
  const under = new Set(above).add(name);
  let time = own;
  for (const child of node.children ?? []) time += walk(byId.get(child) as Node, under);
  if (/^(?:server|app)\//.test(file) && !above.has(name)) add(whole, name, time);
  return time;
}

const total = walk(profile.nodes[0] as Node, new Set());
console.log(`busy for ${(total / 1e6).toFixed(2)} s`);
for (const [title, times] of Object.entries({
  "own time, files": files,
  "own time, functions": functions,
  "with calls": whole,
})) {
  console.log(`\n${title}`);
  for (const [name, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, 35))
    console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
}
