import { type BrowserWindow, dialog, shell } from "electron";
import { NotStarted } from "../server/supervisor/supervisor.ts";
import type { AppSettings, SettingsFile } from "./app-settings.ts";
import { folderFrom } from "./data-folder.ts";
import { choose } from "./dialogs.ts";
import type { ServerLocation } from "./hosting.ts";
import { freePortAfter, isTaken, portOwner } from "./port-owner.ts";
import { texts } from "./texts.ts";

type Next = "again" | "quit";

/** The server ran, and could not be started again. */
export class GivenUp extends Error {}

/** Says why the server could not run at a place and asks what to do; what the person changes is in the settings. */
export async function whatNext(
  error: NodeJS.ErrnoException,
  place: ServerLocation,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  if (await isAboutPort(error, place)) return aboutPort(error, place, settings, window);
  return aboutFolder(error, place.dataFolder, settings, window);
}

/** A server that could not start again tells why by a sentence only: then the port is asked. */
async function isAboutPort(error: NodeJS.ErrnoException, { port, address }: ServerLocation): Promise<boolean> {
  if (error instanceof GivenUp) return isTaken(port, address);
  if (!(error instanceof NotStarted)) return false;
  return error.code === "EADDRINUSE" || isPortForbidden(error);
}

/** Windows keeps ranges of ports for itself (Hyper-V, WSL). The disk's EACCES is one that may pass by itself. */
const isPortForbidden = (error: Error) => error instanceof NotStarted && error.code === "EACCES" && !error.again;

async function aboutPort(
  error: Error,
  place: ServerLocation,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  const { port, address } = place;
  const [owner, free] = await Promise.all([portOwner(port), freePortAfter(port, address)]);
  const by = owner ? texts.program(owner.name, owner.pid) : texts.anotherProgram;
  const answer = await choose(window, {
    type: "warning",
    message: isPortForbidden(error) ? texts.portForbidden(port) : texts.portTaken(port, by),
    detail: texts.portTakenDetail(port),
    buttons: {
      again: texts.again,
      ...(free !== undefined && { other: texts.otherPort(free) }),
      quit: texts.quit,
    },
  });
  if (answer !== "other" || free === undefined) return answer === "again" ? "again" : "quit";
  return (await isKept({ port: free }, settings, window)) ? "again" : aboutPort(error, place, settings, window);
}

/** False, and said, where the settings cannot be written: the question is asked again. */
async function isKept(
  change: Partial<AppSettings>,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  try {
    settings.change(change);
    return true;
  } catch (error) {
    await sayNo(texts.settingsNotKept((error as Error).message), window);
    return false;
  }
}

const sayNo = (message: string, window: BrowserWindow | undefined) =>
  choose(window, { type: "error", message, buttons: { again: texts.again } });

async function aboutFolder(
  error: NodeJS.ErrnoException,
  dataFolder: string,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  for (;;) {
    const answer = await choose(window, {
      type: "error",
      message: error instanceof GivenUp ? texts.stopped : texts.notStarted,
      detail: inWords(error, dataFolder),
      buttons: { again: texts.again, show: texts.showFolder, choose: texts.chooseFolder, quit: texts.quit },
    });
    if (answer === "again" || answer === "quit") return answer;
    if (answer === "show") await shell.openPath(dataFolder);
    else if (await chooseFolder(dataFolder, settings, window)) return "again";
  }
}

/** Of the first start after the settings could not be read: where the organization is may have been in them. */
export async function goesOnWithout(
  { keptAs, why }: { keptAs: string; why: string },
  settings: SettingsFile,
): Promise<boolean> {
  for (;;) {
    const answer = await choose(undefined, {
      type: "warning",
      message: texts.settingsBroken,
      detail: texts.settingsBrokenDetail(keptAs, why),
      buttons: { goOn: texts.goOn, choose: texts.chooseFolder, quit: texts.quit },
    });
    if (answer !== "choose") return answer === "goOn";
    if (await chooseFolder(undefined, settings, undefined)) return true;
  }
}

/** False where none was chosen, or one that cannot be used: the question is asked again. */
async function chooseFolder(
  from: string | undefined,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  const chosen = await askForFolder(window, from);
  if (chosen === undefined) return false;
  try {
    const { path, holds } = folderFrom(chosen);
    if (holds !== "other files") return isKept({ dataFolder: path }, settings, window);
    await sayNo(texts.folderHoldsOther(path), window);
  } catch (error) {
    await sayNo(inWords(error as NodeJS.ErrnoException, chosen), window);
  }
  return false;
}

/** The system's own dialog; undefined when cancelled. */
export async function askForFolder(
  window: BrowserWindow | undefined,
  from: string | undefined,
): Promise<string | undefined> {
  const options: Electron.OpenDialogOptions = {
    title: texts.folderDialog,
    buttonLabel: texts.folderButton,
    properties: ["openDirectory", "createDirectory"],
    ...(from !== undefined && { defaultPath: from }),
  };
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return filePaths[0];
}

/** What the server says is in words already; what the system says of the folder is not. */
export function inWords(error: NodeJS.ErrnoException, folder: string): string {
  const isForbidden = error.syscall !== undefined && ["EACCES", "EPERM", "EROFS"].includes(error.code ?? "");
  return isForbidden ? `${texts.folderForbidden(folder)} (${error.code})` : error.message;
}
