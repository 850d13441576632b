/** Whether a hostname means this computer, so that other devices cannot open it. */
export const isLocalHost = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])\.?$/i.test(hostname);
