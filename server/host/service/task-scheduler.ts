import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, problem } from "../../errors.ts";
import {
  argumentsOf,
  DESCRIPTION,
  markOf,
  outputFile,
  type ServiceCommand,
  type ServiceManager,
  xmlText,
} from "./definition.ts";
import { type Machine, runTool, tryTool } from "./tools.ts";

const TASK = "Hearth";
const RUN = ["/run", "/tn", TASK];

/** A task that starts with Windows and runs as the current user. docs/decision-records.md has the reasons. */
export function task(machine: Machine): ServiceManager {
  const schtasks = (args: readonly string[]) => runTool(machine, "schtasks.exe", args);
  // Fails if the task does not run.
  const end = () => tryTool(machine, "schtasks.exe", ["/end", "/tn", TASK]);
  return {
    place: `Task Scheduler: ${TASK}`,
    log: (dataFolder) => outputFile(dataFolder, "\\"),
    async definition() {
      const { ok, stdout } = await tryTool(machine, "schtasks.exe", ["/query", "/tn", TASK, "/xml"]);
      return ok ? stdout.replaceAll("\0", "") : undefined; // some versions print UTF-16
    },
    async define(command) {
      const account = await runTool(machine, "whoami.exe", ["/user", "/fo", "csv", "/nh"]);
      return taskXml(command, /S-1-[\d-]+/.exec(account)?.[0] ?? "");
    },
    async apply(text) {
      const folder = mkdtempSync(join(tmpdir(), "hearth-service-"));
      const file = join(folder, "task.xml");
      try {
        writeFileSync(file, `\ufeff${text.replace(/^\ufeff/, "")}`, "utf16le");
        await end(); // a replaced task keeps running
        await asAdministrator(machine, ["/create", "/tn", TASK, "/xml", file, "/f"]);
      } finally {
        rmSync(folder, { recursive: true });
      }
      await schtasks(RUN);
    },
    async remove() {
      await end();
      await asAdministrator(machine, ["/delete", "/tn", TASK, "/f"]);
    },
    start: async () => void (await schtasks(RUN)),
    async restart() {
      await end();
      await schtasks(RUN);
    },
  };
}

/** Only administrators can create tasks that start with Windows. Windows asks if this process has no such rights. */
async function asAdministrator(machine: Machine, args: readonly string[]): Promise<void> {
  if ((await tryTool(machine, "schtasks.exe", args)).ok) return;
  const list = args.map(quoted).join(" ").replaceAll("'", "''");
  const script = `$p = Start-Process schtasks.exe -Verb RunAs -Wait -PassThru -WindowStyle Hidden -ArgumentList '${list}'; exit $p.ExitCode`;
  const { ok, cause } = await tryTool(machine, "powershell.exe", ["-NoProfile", "-Command", script]);
  if (!ok) throw new Failure(problem("service_needs_administrator", { cause }));
}

/**
 * S4U: Windows stores no password and needs none. The rights let the user start and end the task without an
 * administrator: BA are administrators, SY is the system.
 */
export function taskXml(command: ServiceCommand, sid: string): string {
  const log = ["--log", outputFile(command.dataFolder, "\\")];
  const [program = "", ...args] = [...argumentsOf(command), ...log];
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${DESCRIPTION}</Description>
    <Documentation>Created by "hearth service install". ${markOf(command.dataFolder)}</Documentation>
    <SecurityDescriptor>D:P(A;;FA;;;BA)(A;;FA;;;SY)(A;;GRGX;;;${sid})</SecurityDescriptor>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${sid}</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(program)}</Command>
      <Arguments>${xmlText(args.map(quoted).join(" "))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** As programs on Windows split their command line: backslashes before a quotation mark are doubled. */
const quoted = (word: string): string =>
  /^[^\s"]+$/.test(word)
    ? word
    : `"${word.replace(/(\\*)("|$)/g, (_, slashes, end) => slashes + slashes + (end && '\\"'))}"`;
