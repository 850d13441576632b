/**
 * Calls `stop` when the page closes. A page that the browser restores from its cache has lost its event queue, so it
 * reloads. The returned function removes the listeners and calls `stop`.
 */
export function stopWithPage(stop: () => void): () => void {
  const reloadIfCached = ({ persisted }: PageTransitionEvent) => persisted && window.location.reload();
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", reloadIfCached);
  return () => {
    window.removeEventListener("pagehide", stop);
    window.removeEventListener("pageshow", reloadIfCached);
    stop();
  };
}
