import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Machine } from "../../server/host/service/tools.ts";
import { type HostFile, readHostFile } from "../../server/host/supervisor/running-server.ts";
import { emptyFolder, endBeforeRemoval } from "./server-process.ts";

export interface TestMachine extends Machine {
  /** The calls of tools since the last look, one a line. */
  calls(): string[];
  /** A file of this machine. */
  read(path: string): string | undefined;
}

export interface TestMachineOptions {
  platform: NodeJS.Platform;
  /** A shell script for each tool. `$F` is the machine's folder. Each tool also logs its call. */
  tools: Record<string, string>;
  uid?: number;
  asksIn?: Machine["asksIn"];
}

/** A machine in a folder, whose only tools are fakes. */
export function serviceMachine(t: TestContext, options: TestMachineOptions): TestMachine {
  const folder = emptyFolder(t);
  const tools = join(folder, "tools");
  const log = join(folder, "calls");
  for (const path of [tools, join(folder, "Library/LaunchDaemons")]) mkdirSync(path, { recursive: true });
  for (const [name, script] of Object.entries(options.tools)) {
    const text = `#!/bin/sh\nF='${folder}'\nPATH="$PATH:/usr/bin:/bin"\necho "${name} $*" >> '${log}'\n${script}\n`;
    writeFileSync(join(tools, name), text, { mode: 0o755 });
  }
  return {
    platform: options.platform,
    env: { PATH: tools },
    user: "ann",
    home: folder,
    uid: options.uid ?? 1000,
    root: folder,
    asksIn: options.asksIn ?? "terminal",
    calls() {
      const calls = existsSync(log) ? readFileSync(log, "utf8").replaceAll(folder, "~").trim().split("\n") : [];
      writeFileSync(log, "");
      return calls;
    },
    read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined),
  };
}

/**
 * Creates a `loginctl`, and a `systemctl` that starts and stops the program of the unit, with an empty environment.
 * Returns their folder, for PATH.
 */
export function fakeSystemd(t: TestContext): string {
  const folder = emptyFolder(t);
  const unit = "$XDG_CONFIG_HOME/systemd/user/hearth.service";
  const program = `eval "exec env -i PATH='$PATH' $(sed -n 's/^ExecStart=//p' "${unit}")"`;
  const start = `(${program}) > '${folder}/log' 2>&1 &\necho $! > '${folder}/pid'`;
  const stop = `[ ! -e '${folder}/pid' ] || { kill "$(cat '${folder}/pid')"; rm '${folder}/pid'; }`;
  const cases = `"--user restart"*|"--user start"*) ${stop}\n${start}\n;; *disable*) ${stop} ;;`;
  const scripts = { systemctl: `case "$*" in ${cases} esac`, loginctl: "" };
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

/** The process that serves a folder, which ends with the test. */
export function servingProcess(t: TestContext, folder: string): HostFile {
  const host = readHostFile(folder) as HostFile;
  endBeforeRemoval(t, async () => {
    try {
      process.kill(host.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return host;
}
