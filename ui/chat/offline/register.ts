/** The installation downloads all files of the page again, so it starts after the page has loaded. */
const AFTER_MS = 3_000;

/** Service workers need HTTPS or localhost. */
export const opensOffline = (): boolean => "serviceWorker" in navigator;

/** Installs the service worker, which opens the page while the server is unreachable. */
export function registerOffline(): void {
  if (!opensOffline() || !window.location.protocol.startsWith("http")) return;
  setTimeout(() => {
    navigator.serviceWorker.register("/sw.js").catch(() => {}); // some private windows forbid it
  }, AFTER_MS);
}
