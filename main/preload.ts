import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { Answer, Call } from "./bridge.ts";
import type { Desktop, ServerState } from "./bridge-types.ts";

/** Errors are results, because Electron prefixes thrown errors with the channel's name. */
async function call<Result>(name: Call, ...args: unknown[]): Promise<Result> {
  const answer = (await ipcRenderer.invoke(`hearth:${name}`, ...args)) as Answer;
  // Electron drops the fields of an Error, so the page gets the problem itself.
  return "error" in answer ? Promise.reject(answer.error) : (answer.result as Result);
}

let state: ServerState | undefined;
const listeners = new Set<(state: ServerState) => void>();
const setState = (newState: ServerState) => {
  state = newState;
  for (const listener of listeners) listener(newState);
};
ipcRenderer.on("hearth:serverState", (_event, newState: ServerState) => setState(newState));
// Fails in pages of other origins, which get no state.
void call<ServerState>("serverState").then(
  (current) => state ?? setState(current),
  () => {},
);

const desktop: Desktop = {
  platform: process.platform as Desktop["platform"],
  settings: () => call("settings"),
  setNetwork: (network) => call("setNetwork", network),
  setBehavior: (change) => call("setBehavior", change),
  service: () => call("service"),
  setService: (service) => call("setService", service),
  serverProblem: () => call("serverProblem"),
  startAgain: () => call("startAgain"),
  quit: () => call("quit"),
  chooseDataFolder: () => call("chooseDataFolder"),
  chooseBackup: () => call("chooseBackup"),
  chooseBackupFolder: () => call("chooseBackupFolder"),
  useDataFolder: () => call("useDataFolder"),
  chooseMoveTarget: () => call("chooseMoveTarget"),
  moveDataFolder: () => call("moveDataFolder"),
  folderWork: () => call("folderWork"),
  cancelMove: () => call("cancelMove"),
  goBackToOldFolder: () => call("goBackToOldFolder"),
  removeOldFolder: () => call("removeOldFolder"),
  showDataFolder: () => call("showDataFolder"),
  pathOf: (file) => webUtils.getPathForFile(file),
  openChat: (address) => call("openChat", address),
  updates: () => call("updates"),
  setUpdateSource: (source) => call("setUpdateSource", source),
  checkForUpdate: () => call("checkForUpdate"),
  downloadUpdate: () => call("downloadUpdate"),
  cancelUpdate: () => call("cancelUpdate"),
  checkInstallerFile: (file) => call("checkInstallerFile", webUtils.getPathForFile(file)),
  chooseInstallerFile: () => call("chooseInstallerFile"),
  installUpdate: () => call("installUpdate"),
  removeKeptVersion: () => call("removeKeptVersion"),
  onServerState: (listener) => {
    const ownListener = (newState: ServerState) => listener(newState);
    listeners.add(ownListener);
    if (state !== undefined) ownListener(state);
    return () => void listeners.delete(ownListener);
  },
};
contextBridge.exposeInMainWorld("hearth", desktop);
