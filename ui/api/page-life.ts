/**
 * Calls `stop` when the page is closed or left. A page that the browser restores from its cache has lost its event
 * queue, so it is loaded again. Returns what ends this, and stops too.
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
