import { contextBridge, ipcRenderer } from "electron";
import type { ChatShell } from "./bridge-types.ts";

let serverUrl = "";
ipcRenderer.on("hearth-chat:serverUrl", (_event, url: string) => {
  serverUrl = url;
});

const shell: ChatShell = {
  serverUrl: () => serverUrl,
  setUnread: (count) => ipcRenderer.send("hearth-chat:unread", count),
  show: () => ipcRenderer.send("hearth-chat:show"),
};
contextBridge.exposeInMainWorld("hearthChat", shell);
