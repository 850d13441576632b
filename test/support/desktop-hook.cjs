// Preloaded by tests into the main process (`electron -r`; a packaged app does not support it). It replaces the
// system's dialogs and programs, and gives tests access to the server's threads and requests.
const diagnostics = require("node:diagnostics_channel");
const { syncBuiltinESMExports } = require("node:module");
const threads = require("node:worker_threads");
const { app, dialog, shell, Tray } = require("electron");

const questions = [];
const opened = [];
const workers = [];
const requests = [];

const asked = (kind, args) =>
  new Promise((answer) => {
    questions.push({ kind, options: args.at(-1), answer });
  });
dialog.showMessageBox = (...args) => asked("message", args);
dialog.showOpenDialog = (...args) => asked("folder", args);
dialog.showErrorBox = (title, content) => void opened.push(`error box: ${title}: ${content}`);
shell.openPath = async (path) => {
  opened.push(path);
  return "";
};
shell.openExternal = async (url) => void opened.push(url);

// Simulates a later version.
const { HEARTH_TEST_VERSION } = process.env;
if (HEARTH_TEST_VERSION) app.getVersion = () => HEARTH_TEST_VERSION;

const trays = [];
const toolTips = [];
const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function (menu) {
  trays[0] = { tray: this, menu };
  setContextMenu.call(this, menu);
};

const { setToolTip } = Tray.prototype;
Tray.prototype.setToolTip = function (text) {
  setToolTip.call(this, text);
  toolTips.push(text);
};

// Only some desktops of Linux have badges.
const badges = [];
app.setBadgeCount = (count) => {
  badges.push(count);
  return true;
};

threads.Worker = class extends threads.Worker {
  constructor(...args) {
    super(...args);
    workers.push(this);
  }
};
syncBuiltinESMExports();
diagnostics.subscribe("http.client.request.start", ({ request }) => {
  const seen = { method: request.method, path: request.path, headers: { ...request.getHeaders() }, open: true };
  requests.push(seen);
  request.once("close", () => {
    seen.open = false;
  });
});

globalThis.hearthTest = { questions, opened, workers, requests, trays, toolTips, badges };
