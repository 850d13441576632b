/** Installing fetches each file of the page once more, which nobody should wait for. */
const AFTER_MS = 3_000;

/** Whether this browser opens the page without the server: only at an address with HTTPS, or on the server's own machine. */
export const opensOffline = (): boolean => "serviceWorker" in navigator;

/** Lets the browser open the page while the server does not answer, where it can. */
export function registerOffline(): void {
  if (!opensOffline() || !window.location.protocol.startsWith("http")) return;
  setTimeout(() => {
    navigator.serviceWorker.register("/sw.js").catch(() => {}); // some private windows allow none
  }, AFTER_MS);
}
