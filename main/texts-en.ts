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
  anotherHearth: "another Hearth",
  process: (name: string, pid: number) => `${name} (process ${pid})`,
  portTaken: (port: number, by: string) => `Port ${port} is used by ${by}.`,
  portForbidden: (port: number) => `This system does not let this user's programs use port ${port}.`,
  portTakenDetail: (port: number) =>
    `Other people's apps look for Hearth at port ${port}. Stop the other program and try again, or let Hearth use another port: the address that you give to people changes with it.`,

  notStarted: "Hearth could not start yet.",
  stopped: "Hearth has stopped hosting your organization.",

  settingsBroken: "Hearth's settings could not be read.",
  settingsBrokenDetail: (kept: string, why: string) =>
    `The file is kept as ${kept} (${why}). Hearth continues with the ordinary data folder and port, unless you choose the folder of your organization now.`,

  pageMissing: "Hearth's window cannot be shown.",
  pageMissingDetail: (why: string) => `A part of the program is missing or damaged (${why}). Install Hearth again.`,
  pageCrashed: "Hearth's window keeps failing.",
  pageHangs: "Hearth's window does not answer.",
  stillHosted: "Your organization is still hosted: people can go on chatting.",

  folderDialog: "Choose the folder for Hearth's data",
  folderButton: "Choose",
  backupDialog: "Choose the backup to restore",
  backupFiles: "Backups of Hearth",
  moveDialog: "Choose where Hearth's data is to be",

  online: {
    message: (people: number) => `${count(people)} online now.`,
    detail:
      "If Hearth quits, they are cut off until it runs again. What was sent is kept, and their apps connect again by themselves.",
    keepInTray: "Keep Hosting in the Tray",
    stay: "Keep Hosting",
    updateDetail:
      "While the update is installed, they are cut off for a minute or two. What was sent is kept, and their apps connect again by themselves.",
    update: "Update Now",
    later: "Not Now",
  },

  installerDialog: "Choose the installer of a new version",
  installerButton: "Check",
  wayBack: ({ from, to, kept, backup }: { from: string; to: string; kept: string; backup: string | null }) =>
    [
      `Hearth ${from} was replaced by ${to}. If ${to} does not work for you, this is the way back:`,
      "",
      `1. Quit Hearth ${to}.`,
      `2. Start Hearth ${from} from here: ${kept}`,
      `3. If it says that the data was written by a newer Hearth, choose an empty folder${
        backup === null
          ? "."
          : ` and there "Restore a backup",\n   with this one, which was made just before the update:\n   ${backup}`
      }`,
      "",
      "Seven days after the new version has answered for the first time, this folder is removed. The backup stays.",
      "",
    ].join("\n"),

  tray: {
    states: {
      starting: "starting…",
      setup: "waiting for its first organization",
      running: "running",
      restarting: "restarting…",
      failed: "could not start",
      stopped: "stopped",
    },
    online: (people: number) => (people === 0 ? "Nobody is online" : `${count(people)} online`),
    onlyThisComputer: "Only this computer can connect",
    open: "Open Hearth",
    copyAddress: "Copy Address",
    invite: "Invite People…",
    startAtLogin: "Start When I Sign In",
    update: (version: string) => `Update to ${version}…`,
    quit: "Quit Hearth",
  },

  menu: {
    file: "&File",
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
