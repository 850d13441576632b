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
    startAtLogin: false,
    hasTray: true,
    version: "0.1.0",
  };
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
    useDataFolder: answer("useDataFolder", settings),
    setBehavior: async (change) => {
      calls.push(["setBehavior", change]);
      return Object.assign(settings, change);
    },
    serverProblem: async () => window.serverProblem ?? null,
    startAgain: answer("startAgain"),
    quit: answer("quit"),
    showDataFolder: answer("showDataFolder"),
    onServerState(listener) {
      window.tellServerState = listener;
      listener("running");
      return () => {};
    },
  };
})()`;
