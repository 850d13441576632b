import { type BrowserWindow, dialog, shell } from "electron";
import { Failure, type Problem, problem, problemOf } from "../server/errors.ts";
import { hearthAt } from "../server/host/supervisor/listening.ts";
import { NotStarted } from "../server/host/supervisor/server-thread.ts";
import { fileProblem } from "../server/storage/errors.ts";
import type { AppSettings, SettingsFile } from "./app-settings.ts";
import { chosenFolder } from "./data-folder.ts";
import { choose } from "./dialogs.ts";
import type { ServerLocation } from "./local-server.ts";
import { freePortAfter, isTaken, portOwner } from "./port-owner.ts";
import { inWords, texts } from "./texts.ts";

type Next = "again" | "quit";

/** The server ended and could not restart. */
export class RestartFailed extends Failure {}

/** Shows why the server could not run and asks what to do. Changes by the user are saved in the settings. */
export async function askHowToGoOn(
  error: NodeJS.ErrnoException,
  location: ServerLocation,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  if (await isAboutPort(error, location)) return askAboutPort(error, location, settings, window);
  return askAboutFolder(error, location.dataFolder, settings, window);
}

/** A failed restart has only a message, so this checks the port itself. */
async function isAboutPort(error: NodeJS.ErrnoException, { port, address }: ServerLocation): Promise<boolean> {
  if (error instanceof RestartFailed) return isTaken(port, address);
  if (!(error instanceof NotStarted)) return false;
  return error.code === "EADDRINUSE" || isPortForbidden(error);
}

/** Windows reserves ranges of ports (Hyper-V, WSL). EACCES of the disk is retryable, that of a port is not. */
const isPortForbidden = (error: Error) => error instanceof NotStarted && error.code === "EACCES" && !error.retryable;

async function askAboutPort(
  error: Error,
  location: ServerLocation,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  const { port, address } = location;
  const [owner, free, hearth] = await Promise.all([
    portOwner(port),
    freePortAfter(port, address),
    error instanceof RestartFailed ? undefined : hearthAt({ host: address, port }),
  ]);
  const program = hearth ? texts.anotherHearth : texts.anotherProgram;
  const by = owner ? texts.process(hearth ? program : owner.name, owner.pid) : program;
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
  return (await isSaved({ port: free }, settings, window)) ? "again" : askAboutPort(error, location, settings, window);
}

/** Saves a setting; false after a dialog if that fails. */
async function isSaved(
  change: Partial<AppSettings>,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  try {
    settings.update(change);
    return true;
  } catch (error) {
    await showError(problem("settings_not_saved", { cause: (error as Error).message }), window);
    return false;
  }
}

const showError = (problem: Problem, window: BrowserWindow | undefined) =>
  choose(window, { type: "error", message: inWords(problem), buttons: { again: texts.again } });

async function askAboutFolder(
  error: NodeJS.ErrnoException,
  dataFolder: string,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<Next> {
  for (;;) {
    const answer = await choose(window, {
      type: "error",
      message: error instanceof RestartFailed ? texts.stopped : texts.notStarted,
      detail: inWords(desktopProblem(error, dataFolder)),
      buttons: { again: texts.again, show: texts.showFolder, choose: texts.chooseFolder, quit: texts.quit },
    });
    if (answer === "again" || answer === "quit") return answer;
    if (answer === "show") await shell.openPath(dataFolder);
    else if (await chooseFolder(dataFolder, settings, window)) return "again";
  }
}

/** The settings may have contained the path of the organization's folder. Returns false if the user quits. */
export async function askAboutBrokenSettings(
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

/** Returns false if the user chose no folder, or an unusable folder. */
async function chooseFolder(
  from: string | undefined,
  settings: SettingsFile,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  const chosen = await askForFolder(window, from);
  if (chosen === undefined) return false;
  try {
    const { path, holds } = chosenFolder(chosen);
    if (holds !== "other files") return isSaved({ dataFolder: path }, settings, window);
    await showError(problem("folder_has_other_files", { folder: path }), window);
  } catch (error) {
    await showError(desktopProblem(error as NodeJS.ErrnoException, chosen), window);
  }
  return false;
}

/** Undefined if canceled. */
export async function askForFolder(
  window: BrowserWindow | undefined,
  from: string | undefined,
  title: string = texts.folderDialog,
): Promise<string | undefined> {
  const options: Electron.OpenDialogOptions = {
    title,
    buttonLabel: texts.folderButton,
    properties: ["openDirectory", "createDirectory"],
    ...(from !== undefined && { defaultPath: from }),
  };
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return filePaths[0];
}

/** Undefined if canceled. */
export async function askForBackup(window: BrowserWindow | undefined): Promise<string | undefined> {
  const options: Electron.OpenDialogOptions = {
    title: texts.backupDialog,
    buttonLabel: texts.folderButton,
    properties: ["openFile"],
    filters: [{ name: texts.backupFiles, extensions: ["tar"] }],
  };
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return filePaths[0];
}

/** Errors of the server are written for users. System errors are not. */
export function desktopProblem(error: NodeJS.ErrnoException, folder: string): Problem {
  const { syscall, code = "" } = error;
  const isForbidden = syscall !== undefined && ["EACCES", "EPERM", "EROFS"].includes(code);
  if (isForbidden) return problem("data_folder_access_denied", { folder, code });
  return fileProblem(error) ?? problemOf(error);
}
