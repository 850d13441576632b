import { app, Menu, type MenuItemConstructorOptions } from "electron";
import { texts } from "./texts.ts";

const LINE = { type: "separator" } as const;

export interface MenuActions {
  open(): void;
  openChat(): void;
  showDataFolder(): void;
}

/** On macOS, keyboard shortcuts such as copy and quit work only with a menu. */
export function setMenu({ open, openChat, showDataFolder }: MenuActions): void {
  app.setAboutPanelOptions({
    applicationName: "Hearth",
    applicationVersion: app.getVersion(),
    copyright: texts.licence,
    credits: texts.about,
  });
  const { menu } = texts;
  const isMac = process.platform === "darwin";
  const item = (role: keyof typeof menu.roles): MenuItemConstructorOptions => ({ role, label: menu.roles[role] });
  const chat: MenuItemConstructorOptions = {
    id: "openChat",
    label: menu.openChat,
    accelerator: "CmdOrCtrl+Shift+O",
    enabled: false,
    click: openChat,
  };
  const admin: MenuItemConstructorOptions = { id: "open", label: menu.open, click: open };
  const folder: MenuItemConstructorOptions = { id: "dataFolder", label: menu.openDataFolder, click: showDataFolder };
  const own = [
    ...[item("about"), LINE, item("services"), LINE],
    ...[item("hide"), item("hideOthers"), item("unhide"), LINE, item("quit")],
  ];
  const edit = [
    ...[item("undo"), item("redo"), LINE, item("cut"), item("copy"), item("paste")],
    ...(isMac ? [item("pasteAndMatchStyle")] : []),
    ...[item("delete"), LINE, item("selectAll")],
  ];
  const view = [
    item("reload"),
    ...(app.isPackaged ? [] : [item("toggleDevTools")]),
    ...[LINE, item("resetZoom"), item("zoomIn"), item("zoomOut"), LINE, item("togglefullscreen")],
  ];
  const window = [item("minimize"), ...(isMac ? [item("zoom"), LINE, item("front")] : [item("close")])];
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ label: "Hearth", submenu: own }] : []),
    { label: menu.file, submenu: [chat, admin, LINE, folder, LINE, item(isMac ? "close" : "quit")] },
    { label: menu.edit, submenu: edit },
    { label: menu.view, submenu: view },
    // The role lets macOS add its own items, such as the list of windows.
    { label: menu.window, role: "window", submenu: window },
    ...(isMac ? [] : [{ label: menu.help, submenu: [item("about")] }]),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** The chat opens only while an organization is served. */
export function allowOpenChat(enabled: boolean): void {
  const item = Menu.getApplicationMenu()?.getMenuItemById("openChat");
  if (item) item.enabled = enabled;
}
