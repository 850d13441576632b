// Runs before the page's modules (vite.config.ts). A browser drops what it is loading when its machine's network
// changes, and a page without one of its modules would stay blank: it is loaded again, and a style by itself. Where
// this file is lost as well, the page itself offers that after a while (vite.config.ts).
(() => {
  const KEY = "hearth-loaded-again";
  const WAITS_MS = [300, 1000, 2000, 5000];
  const FORGET_MS = 60_000;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** How often this page has been loaded again lately. */
  const attempts = () => {
    try {
      const { count, at } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
      return Date.now() - at < FORGET_MS ? count : 0;
    } catch {
      return WAITS_MS.length; // storage may be forbidden, and nothing would end it
    }
  };
  const isAnswering = () =>
    fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
      ({ status }) => status < 500,
      () => false,
    );

  let isUnderWay = false;
  async function loadPageAgain() {
    const count = attempts();
    if (isUnderWay || count >= WAITS_MS.length) return;
    isUnderWay = true;
    await pause(WAITS_MS[count]);
    while (!(await isAnswering())) await pause(2000);
    sessionStorage.setItem(KEY, JSON.stringify({ count: count + 1, at: Date.now() }));
    location.reload();
  }

  async function loadStyleAgain(link) {
    const count = Number(link.dataset.again ?? 0);
    if (count >= WAITS_MS.length) return;
    await pause(WAITS_MS[count]);
    const next = link.cloneNode();
    next.dataset.again = String(count + 1);
    link.replaceWith(next);
  }

  addEventListener(
    "error",
    ({ target }) => {
      // Parts that the page fetches later, it asks for again itself (parts/lazy-part.ts).
      if (target instanceof HTMLScriptElement && document.readyState !== "complete") void loadPageAgain();
      else if (target instanceof HTMLLinkElement && target.rel === "stylesheet") void loadStyleAgain(target);
    },
    true,
  );
})();
