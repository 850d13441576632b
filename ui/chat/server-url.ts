/** The server's URL for links that people send to each other. In the desktop app, the page's own URL works only there. */
export const serverUrl = (): string => window.hearthChat?.serverUrl() || window.location.origin;

/** Whether a link leads to a place in this chat. */
export const isPlaceLink = ({ origin, pathname, hash }: HTMLAnchorElement): boolean =>
  (origin === window.location.origin || origin === serverUrl()) && pathname === "/" && hash !== "";
