import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { endStrays, MARK } from "./stray-processes.ts";

/** A process of our own Node and all its descendants. */
export interface NodeProcess {
  readonly child: ChildProcess;
  /** Everything it has printed. */
  output: string;
  /** Resolves when it has exited and printed everything, with the failure if there is one. */
  readonly ended: Promise<string | undefined>;
  end(why: string): void;
}

const running = new Set<NodeProcess>();
let started = 0;

process.on("exit", () => {
  for (const one of running) one.end("npm test ended");
});

export interface NodeOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  hears?: boolean;
  /** If the system allows it, the process sees only its own loopback network. */
  ownNetwork?: boolean;
}

/** Runs the following command in a new network namespace. */
const OWN_NETWORK = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"] as const;
let mayHaveOwnNetwork: boolean | undefined;
const inOwnNetwork = (command: string[]): string[] => {
  mayHaveOwnNetwork ??= spawnSync(OWN_NETWORK[0], [...OWN_NETWORK.slice(1), "true"]).status === 0;
  return mayHaveOwnNetwork ? [...OWN_NETWORK, ...command] : command;
};

/** Starts Node in a new process group. */
export function startNode(args: string[], options: NodeOptions): NodeProcess {
  const mark = `${process.pid}-${++started}`;
  const { NODE_TEST_CONTEXT: _, ...env } = options.env;
  const node = [process.execPath, ...args];
  const [program, ...rest] = (options.ownNetwork ? inOwnNetwork(node) : node) as [string, ...string[]];
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...env, [MARK]: mark },
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", ...(options.hears ? (["ipc"] as const) : [])],
  });
  const streams = [child.stdout!, child.stderr!];
  let how: string | undefined;
  const one: NodeProcess = {
    child,
    output: "",
    ended: new Promise((resolve) => {
      child.on("close", () => {
        running.delete(one);
        resolve(how);
      });
    }),
    end(why) {
      how ??= why;
      killAll(child, mark);
    },
  };
  running.add(one);
  for (const stream of streams) stream.setEncoding("utf8").on("data", (text) => (one.output += text));
  child.on("error", (error) => (how ??= error.message));
  // Descendants would keep its output open and continue, so they end with it.
  child.on("exit", (code, signal) => {
    if (code !== 0) how ??= signal ? `ended by ${signal}` : `exit code ${code}`;
    killAll(child, mark);
    // A missed descendant may still keep the output open.
    setTimeout(() => streams.map((stream) => stream.destroy()), 2_000).unref();
  });
  return one;
}

function killAll(child: ChildProcess, mark: string): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // all gone already
  }
  endStrays(mark);
}
