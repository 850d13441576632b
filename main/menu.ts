import { app, Menu, type MenuItemConstructorOptions } from "electron";
import { texts } from "./texts.ts";

/** The application menu. On macOS it is also what makes copy, paste and quit work at the keyboard. */
export function setMenu({ showDataFolder }: { showDataFolder(): void }): void {
  app.setAboutPanelOptions({
    applicationName: "Hearth",
    applicationVersion: app.getVersion(),
    copyright: texts.licence,
    credits: texts.about,
  });
  const { menu } = texts;
  const isMac = process.platform === "darwin";
  const folder: MenuItemConstructorOptions = { id: "dataFolder", label: menu.openDataFolder, click: showDataFolder };
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: "appMenu" } as const] : []),
    {
      label: menu.file,
      submenu: isMac
        ? [folder, { type: "separator" }, { role: "close" }]
        : [folder, { type: "separator" }, { role: "quit" }],
    },
    { label: menu.edit, role: "editMenu" },
    {
      label: menu.view,
      submenu: [
        { role: "reload" },
        ...(app.isPackaged ? [] : [{ role: "toggleDevTools" } as const]),
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { type: "separator" },
        { role: "togglefullscreen" },
      ],
    },
    { label: menu.window, role: "windowMenu" },
    ...(isMac ? [] : [{ label: menu.help, submenu: [{ role: "about", label: menu.about } as const] }]),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
