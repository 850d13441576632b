const count = (people: number) => (people === 1 ? "1 person is" : `${people} people are`);

/** Texts of dialogs, menus and the tray. */
export const english = {
  again: "Try Again",
  quit: "Quit",
  goOn: "Continue",
  reload: "Reload",
  wait: "Wait",
  chooseFolder: "Choose Another Folder…",
  showFolder: "Show Folder",
  otherPort: (port: number) => `Use Port ${port} Instead`,

  anotherProgram: "another program",
  anotherHearth: "another instance of Hearth",
  process: (name: string, pid: number) => `${name} (process ${pid})`,
  portTaken: (port: number, by: string) => `Port ${port} is used by ${by}.`,
  portForbidden: (port: number) => `You don't have permission to use port ${port}.`,
  portTakenDetail: (port: number) =>
    `People's apps look for Hearth on port ${port}. Quit the other program and try again, or let Hearth use another port. The address you share changes with it.`,

  notStarted: "Hearth couldn't start.",
  stopped: "Hearth has stopped hosting your organization.",

  settingsBroken: "Hearth's settings couldn't be read.",
  settingsBrokenDetail: (kept: string, why: string) =>
    `The file was saved as ${kept} (${why}). Hearth will use the default data folder and port unless you choose your organization's folder now.`,

  pageMissing: "Hearth's window can't be shown.",
  pageMissingDetail: (why: string) => `Part of the program is missing or damaged (${why}). Reinstall Hearth.`,
  pageCrashed: "Hearth's window keeps crashing.",
  pageHangs: "Hearth's window isn't responding.",
  stillHosted: "Your organization is still running. People can keep chatting.",

  folderDialog: "Choose the folder for Hearth's data",
  folderButton: "Choose",
  backupDialog: "Choose the backup to restore",
  backupFolderDialog: "Choose the folder for backups",
  backupFiles: "Backups of Hearth",
  moveDialog: "Choose a new location for Hearth's data",

  online: {
    message: (people: number) => `${count(people)} online now.`,
    detail:
      "If you quit Hearth, they are disconnected until it runs again. Messages are kept, and apps reconnect automatically.",
    keepInTray: "Keep Hosting in the Tray",
    stay: "Keep Hosting",
    updateDetail:
      "During the update they are disconnected for a minute or two. Messages are kept, and apps reconnect automatically.",
    update: "Update Now",
    later: "Not Now",
  },

  installerDialog: "Choose the installer of the new version",
  installerButton: "Check",
  wayBack: ({ from, to, kept, backup }: { from: string; to: string; kept: string; backup: string | null }) =>
    [
      `Hearth ${from} was replaced by ${to}. If ${to} doesn't work for you, here is how to go back:`,
      "",
      `1. Quit Hearth ${to}.`,
      `2. Start Hearth ${from} from here: ${kept}`,
      `3. If it says that the data was written by a newer Hearth, choose an empty folder${
        backup === null
          ? "."
          : ` and there "Restore a backup",\n   with this one, which was made just before the update:\n   ${backup}`
      }`,
      "",
      "This folder is removed seven days after the new version first runs. The backup is kept.",
      "",
    ].join("\n"),

  chatTitle: "Hearth chat",
  unread: (messages: number) =>
    messages === 0 ? "No unread messages" : messages === 1 ? "1 unread message" : `${messages} unread messages`,

  tray: {
    states: {
      starting: "starting…",
      setup: "not set up yet",
      running: "running",
      restarting: "restarting…",
      failed: "couldn't start",
      stopped: "stopped",
    },
    online: (people: number) => (people === 0 ? "Nobody is online" : `${count(people)} online`),
    onlyThisComputer: "Only this computer can connect",
    openChat: "Open Chat",
    open: "Open Hearth",
    copyAddress: "Copy Address",
    invite: "Invite People…",
    startAtLogin: "Start When I Sign In",
    update: (version: string) => `Update to ${version}…`,
    quit: "Quit Hearth",
  },

  menu: {
    file: "&File",
    openChat: "Open Chat",
    open: "Manage the Organization",
    openDataFolder: "Open Data Folder",
    edit: "&Edit",
    view: "&View",
    window: "&Window",
    help: "&Help",
    /** Electron's own labels are English everywhere. */
    roles: {
      about: "About Hearth",
      services: "Services",
      hide: "Hide Hearth",
      hideOthers: "Hide Others",
      unhide: "Show All",
      quit: "Quit Hearth",
      close: "Close Window",
      undo: "Undo",
      redo: "Redo",
      cut: "Cut",
      copy: "Copy",
      paste: "Paste",
      pasteAndMatchStyle: "Paste and Match Style",
      delete: "Delete",
      selectAll: "Select All",
      reload: "Reload",
      toggleDevTools: "Developer Tools",
      resetZoom: "Actual Size",
      zoomIn: "Zoom In",
      zoomOut: "Zoom Out",
      togglefullscreen: "Full Screen",
      minimize: "Minimize",
      zoom: "Zoom",
      front: "Bring All to Front",
    },
  },
  about: "A team chat server that lives on your desktop.",
  licence: "Apache License, Version 2.0",
};

export type Texts = typeof english;
