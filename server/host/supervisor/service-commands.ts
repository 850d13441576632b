import type { ServiceCommand } from "../service/definition.ts";
import { installService, removeService, serviceOf, thisProgram } from "../service/service.ts";
import { thisMachine } from "../service/tools.ts";
import { respondingUrl } from "./running-server.ts";

export async function installLines(command: Omit<ServiceCommand, "program">): Promise<string[]> {
  const machine = thisMachine("terminal");
  const url = await installService({ ...command, program: thisProgram() }, machine);
  const { lines } = await statusLines(command.dataFolder);
  return [`Hearth answers at ${url}, and starts with this computer from now on.`, ...lines];
}

interface Report {
  readonly lines: readonly string[];
  /** The exit code. */
  readonly code: number;
}

export async function removeLines(dataFolder: string): Promise<Report> {
  const place = await removeService(dataFolder, thisMachine("terminal"));
  return {
    lines: [`The server is stopped and the service removed: ${place}`, `Its data stays in ${dataFolder}.`],
    code: 0,
  };
}

export async function statusLines(dataFolder: string): Promise<Report> {
  const installed = await serviceOf(dataFolder, thisMachine("terminal"));
  if (!installed) return { lines: ["Installed: no"], code: 1 };
  const url = await respondingUrl(dataFolder);
  return {
    lines: [
      `Installed: ${installed.place}`,
      `Running: ${url ?? "no"}`,
      `Log: ${installed.log(dataFolder)}`,
      `Log of the server: ${dataFolder}/diagnostics`,
    ],
    code: url === undefined ? 1 : 0,
  };
}
