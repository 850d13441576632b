import { contextBridge, ipcRenderer } from "electron";
import type { Answer, Call } from "./bridge.ts";
import type { Desktop, ServerState } from "./bridge-types.ts";

/** Errors come as a message: Electron would put the channel's name in front of it. */
async function call<Result>(name: Call, ...args: unknown[]): Promise<Result> {
  const answer = (await ipcRenderer.invoke(`hearth:${name}`, ...args)) as Answer;
  if ("error" in answer) throw new Error(answer.error);
  return answer.result as Result;
}

let state: ServerState | undefined;
const listeners = new Set<(state: ServerState) => void>();
const tell = (now: ServerState) => {
  state = now;
  for (const listener of listeners) listener(now);
};
ipcRenderer.on("hearth:serverState", (_event, now: ServerState) => tell(now));
// Refused where this is not the window's own page: there is nothing to hear then.
void call<ServerState>("serverState").then(
  (now) => state ?? tell(now),
  () => {},
);

const desktop: Desktop = {
  platform: process.platform as Desktop["platform"],
  settings: () => call("settings"),
  setNetwork: (network) => call("setNetwork", network),
  chooseDataFolder: () => call("chooseDataFolder"),
  useDataFolder: () => call("useDataFolder"),
  showDataFolder: () => call("showDataFolder"),
  onServerState: (listener) => {
    const own = (now: ServerState) => listener(now);
    listeners.add(own);
    if (state !== undefined) own(state);
    return () => void listeners.delete(own);
  },
};
contextBridge.exposeInMainWorld("hearth", desktop);
