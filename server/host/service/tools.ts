import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { Failure, problem } from "../../errors.ts";

/** The system that a service is installed in. Tests replace it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** PATH finds the system's tools. */
  readonly env: NodeJS.ProcessEnv;
  readonly user: string;
  readonly home: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  /** The folder that contains /etc and /Library. */
  readonly root: string;
  /** Where macOS asks for an administrator's password. Windows always shows its own dialog. */
  readonly asksIn: "terminal" | "dialog";
}

export function thisMachine(asksIn: Machine["asksIn"]): Machine {
  const { username: user, homedir: home } = userInfo();
  return { platform: process.platform, env: process.env, user, home, uid: process.getuid?.(), root: "", asksIn };
}

export interface ToolResult {
  readonly ok: boolean;
  readonly stdout: string;
  /** The output of the tool about its failure. */
  readonly cause: string;
}

export function tryTool({ env }: Machine, program: string, args: readonly string[]): Promise<ToolResult> {
  return new Promise((resolve) => {
    // Lingering processes of a tool must not keep this one waiting, but people take their time to enter a password.
    execFile(program, args, { env, windowsHide: true, timeout: 300_000 }, (error, stdout, stderr) => {
      const said = stderr.trim() || stdout.trim();
      const cause = said || (error?.message ?? "");
      resolve({ ok: error === null, stdout, cause: cause.replace(/\s+/g, " ").slice(0, 500) });
    });
  });
}

/** @throws Failure if the tool is missing or fails. */
export async function runTool(machine: Machine, program: string, args: readonly string[]): Promise<string> {
  const { ok, stdout, cause } = await tryTool(machine, program, args);
  if (!ok) throw new Failure(problem("service_tool_failed", { command: [program, ...args].join(" "), cause }));
  return stdout;
}
