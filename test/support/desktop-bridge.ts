/** A `window.hearth` like the preload script's, for pages that are tested in a browser. Runs in the page. */
export const desktopBridge = `(() => {
  const settings = {
    dataFolder: "/home/ann/Dropbox/a rather long folder name/hearth",
    isDefaultFolder: true,
    folderWarning: "synced",
    lan: true,
    port: 9400,
    closeToTray: true,
    keepAwake: "on power",
    chatIn: "window",
    keepChat: true,
    startAtLogin: false,
    hasTray: true,
    version: "0.1.0",
  };
  const updates = (window.updates = {
    version: "0.1.0",
    installation: "AppImage",
    source: { address: null, key: null },
    step: "idle",
    checkedAt: null,
    problem: null,
    found: null,
    done: 0,
    last: null,
  });
  let service = { installed: null, isRunning: false };
  const calls = (window.hearthCalls = []);
  const answer = (name, value) => async (argument) => {
    calls.push([name, argument]);
    return value;
  };
  window.hearth = {
    platform: "linux",
    settings: async () => settings,
    setNetwork: answer("setNetwork", settings),
    chooseDataFolder: answer("chooseDataFolder", { path: "/home/ann/Documents", holds: "other files", warning: null }),
    chooseBackup: answer("chooseBackup", "/media/ann/hearth-2026-11-22T21-05-00Z.tar"),
    chooseBackupFolder: answer("chooseBackupFolder", "/media/ann/Backups"),
    useDataFolder: answer("useDataFolder", settings),
    setBehavior: async (change) => {
      calls.push(["setBehavior", change]);
      return { ...Object.assign(settings, change) };
    },
    service: async () => service,
    setService: async ({ on }) => {
      calls.push(["setService", { on }]);
      const place = "/home/ann/.config/systemd/user/hearth.service";
      const installed = on ? { place, log: "journalctl --user --unit hearth" } : null;
      service = { installed, isRunning: on };
      return service;
    },
    serverProblem: async () => window.serverProblem ?? null,
    startAgain: answer("startAgain"),
    pathOf: (file) => (window.pathOfFiles ?? "") + file.name,
    openChat: answer("openChat"),
    quit: answer("quit"),
    chooseMoveTarget: async () => {
      calls.push(["chooseMoveTarget"]);
      return window.moveTarget ?? { path: "/media/ann/Disk/Hearth", bytes: 734003200, freeBytes: 48318382080, problem: null, warning: null };
    },
    moveDataFolder: () => {
      calls.push(["moveDataFolder"]);
      return new Promise((resolve, reject) => {
        window.endMove = { resolve, reject };
      });
    },
    folderWork: async () => window.folderWork ?? null,
    cancelMove: async () => {
      calls.push(["cancelMove"]);
      window.endMove?.resolve(false);
    },
    goBackToOldFolder: answer("goBackToOldFolder"),
    removeOldFolder: answer("removeOldFolder"),
    showDataFolder: answer("showDataFolder"),
    updates: async () => ({ ...updates }),
    setUpdateSource: async (source) => {
      calls.push(["setUpdateSource", source]);
      return { ...Object.assign(updates, window.refuseSource ?? { source, problem: null }) };
    },
    checkInstallerFile: async (file) => {
      calls.push(["checkInstallerFile", file.name]);
      return { ...updates };
    },
    ...Object.fromEntries(
      ["checkForUpdate", "downloadUpdate", "cancelUpdate", "chooseInstallerFile", "installUpdate", "removeKeptVersion"].map(
        (name) => [
          name,
          async () => {
            calls.push([name]);
            return { ...Object.assign(updates, window.nextUpdate) };
          },
        ],
      ),
    ),
    onServerState(listener) {
      window.tellServerState = listener;
      listener("running");
      return () => {};
    },
  };
})()`;
