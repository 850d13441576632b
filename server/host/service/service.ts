import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Failure, problem } from "../../errors.ts";
import { FolderInUse, isLocked } from "../supervisor/lock.ts";
import { respondingUrl } from "../supervisor/running-server.ts";
import { folderIn, type ServiceCommand, type ServiceManager } from "./definition.ts";
import { daemon } from "./launchd.ts";
import { systemService, userService } from "./systemd.ts";
import { task } from "./task-scheduler.ts";
import type { Machine } from "./tools.ts";

export interface InstalledService extends ServiceManager {
  readonly text: string;
}

/** How long a start on a busy machine may take. */
const START_MS = 30_000;
/** A stop takes three seconds at most, and longer only on a busy machine. */
const STOP_MS = 10_000;
const LOOK_EVERY_MS = 200;

function managers(machine: Machine): ServiceManager[] {
  if (machine.platform === "win32") return [task(machine)];
  if (machine.platform === "darwin") return [daemon(machine)];
  if (machine.platform === "linux") return [userService(machine), systemService(machine)];
  return [];
}

/** The service of a data folder. */
export async function serviceOf(dataFolder: string, machine: Machine): Promise<InstalledService | undefined> {
  for (const manager of managers(machine)) {
    const text = await manager.definition();
    if (text !== undefined && folderIn(text) === dataFolder) return { ...manager, text };
  }
  return undefined;
}

export interface InstallOptions {
  /** Stops the caller's own server in the folder. */
  release?: (() => Promise<void>) | undefined;
  patience?: number;
}

/**
 * Installs or changes the service. Resolves with the server's URL when it responds. If the server does not start, this
 * restores the previous definition.
 */
export async function installService(
  command: ServiceCommand,
  machine: Machine,
  { release = async () => {}, patience = START_MS }: InstallOptions = {},
): Promise<string> {
  const { dataFolder, account } = command;
  const installed = await serviceOf(dataFolder, machine);
  const manager = managers(machine)[account === undefined ? 0 : 1];
  if (!manager) throw new Failure(problem("service_not_supported"));
  if (installed && installed.place !== manager.place)
    throw new Failure(problem("service_exists", { place: installed.place, folder: dataFolder }));
  const current = await manager.definition();
  if (current !== undefined && !installed) throw new Failure(takenBy(current, manager.place));
  const next = await manager.define(command, current);
  await release();
  if (!installed && isLocked(dataFolder)) throw new FolderInUse(dataFolder, await respondingUrl(dataFolder));
  try {
    await manager.apply(next);
    return await responseOf(dataFolder, manager, patience);
  } catch (error) {
    const undo = current === undefined ? manager.remove(next) : manager.apply(current);
    await undo.catch(() => {}); // the first error is the reason
    throw error;
  }
}

function takenBy(definition: string, place: string) {
  const folder = folderIn(definition);
  return folder === undefined ? problem("service_name_taken", { place }) : problem("service_exists", { place, folder });
}

/** Waits until the server of a service responds. */
export async function responseOf(dataFolder: string, manager: ServiceManager, patience = START_MS): Promise<string> {
  const end = performance.now() + patience;
  for (;;) {
    const url = await respondingUrl(dataFolder);
    if (url !== undefined) return url;
    if (performance.now() > end) throw new Failure(problem("service_not_started", { log: manager.log(dataFolder) }));
    await pause(LOOK_EVERY_MS);
  }
}

/** Returns the place of the removed definition when the server has ended. The data stays. */
export async function removeService(dataFolder: string, machine: Machine): Promise<string> {
  const service = await serviceOf(dataFolder, machine);
  if (!service) throw new Failure(problem("service_not_installed", { folder: dataFolder }));
  await service.remove(service.text);
  // Not all systems wait for the end of the process.
  const end = performance.now() + STOP_MS;
  while (isLocked(dataFolder) && performance.now() < end) await pause(LOOK_EVERY_MS);
  return service.place;
}

/** How a service starts the running program: the installed app, or the checkout. */
export function thisProgram(): readonly string[] {
  // The built files are in .build/app.
  const root = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../.." : "../..", import.meta.url));
  const { APPIMAGE: image } = process.env;
  if (process.versions["electron"] === undefined) return [process.execPath, `${root}server/run.mjs`, "hearth"];
  // It starts no process of Chromium that a sandbox could protect, and needs no display (main/command.ts).
  const switches = process.platform === "linux" ? ["--no-sandbox", "--no-zygote"] : [];
  return [image ?? process.execPath, ...switches, ...("defaultApp" in process ? [root] : [])];
}
