import { setTimeout as pause } from "node:timers/promises";
import { Failure, problem } from "../server/errors.ts";
import {
  type InstalledService,
  installService,
  removeService,
  responseOf,
  serviceOf,
  thisProgram,
} from "../server/host/service/service.ts";
import { thisMachine } from "../server/host/service/tools.ts";
import { callsTo, readHostFile, respondingUrl } from "../server/host/supervisor/running-server.ts";
import { VERSION } from "../server/version.ts";
import type { ServiceState } from "./bridge-types.ts";
import type { ServerLocation } from "./local-server.ts";

/** How long a start of the app waits for the server of a service before it starts its own. */
const START_MS = 15_000;
const LOOK_EVERY_MS = 200;

const machine = thisMachine("dialog");

const commandAt = ({ dataFolder, address, port }: ServerLocation) => ({
  program: thisProgram(),
  dataFolder,
  options: ["--host", address, "--port", String(port)],
});

/** `release` stops the app's own server, when nothing else can fail before the start of the service. */
export const installAt = (location: ServerLocation, release?: () => Promise<void>): Promise<string> =>
  installService(commandAt(location), machine, { release });

export const removeFrom = (dataFolder: string): Promise<string> => removeService(dataFolder, machine);

export async function serviceState(dataFolder: string): Promise<ServiceState> {
  const service = await serviceOf(dataFolder, machine);
  if (!service) return { installed: null, isRunning: false };
  const url = await respondingUrl(dataFolder);
  return { installed: { place: service.place, log: service.log(dataFolder) }, isRunning: url !== undefined };
}

/** Whether a service serves the folder, in this version of Hearth. Starts it if necessary. */
export async function isServed(location: ServerLocation, report: (line: string) => void): Promise<boolean> {
  const { dataFolder } = location;
  const service = await serviceOf(dataFolder, machine);
  if (!service) return false;
  try {
    // An AppImage that was moved or updated has another path, and its user needs no administrator for the change.
    const { APPIMAGE: image } = process.env;
    if (image !== undefined && !service.text.includes(image)) await installAt(location);
    if ((await respondingUrl(dataFolder)) === undefined) await service.start();
    await responseOf(dataFolder, service, START_MS);
    await restartOtherVersion(dataFolder, service);
    return true;
  } catch (error) {
    report(`The service does not serve ${dataFolder}: ${(error as Error).message}`);
    return false;
  }
}

/** The pages of this version need a server of this version. An update replaces the program of a running service. */
async function restartOtherVersion(dataFolder: string, service: InstalledService): Promise<void> {
  const old = readHostFile(dataFolder);
  const { setup } = await callsTo(dataFolder)<{ setup: boolean }>("GET", "/host/session");
  if (setup || !old) return;
  const { version } = await callsTo(dataFolder)<{ version: string }>("GET", "/host/state");
  if (version === VERSION) return;
  await service.restart(old.pid);
  const end = performance.now() + START_MS;
  while (readHostFile(dataFolder)?.token === old.token || (await respondingUrl(dataFolder)) === undefined) {
    if (performance.now() > end) throw new Failure(problem("service_not_started", { log: service.log(dataFolder) }));
    await pause(LOOK_EVERY_MS);
  }
}
