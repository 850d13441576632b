const KEY = "hearth-setup-code";

/** The code in the page's URL, also after this tab reloads the page without it; "" if there is none. */
export function rememberSetupCode(): string {
  const fromAddress = new URLSearchParams(window.location.hash.slice(1)).get("code");
  try {
    if (fromAddress) sessionStorage.setItem(KEY, fromAddress);
    return fromAddress ?? sessionStorage.getItem(KEY) ?? "";
  } catch {
    return fromAddress ?? ""; // storage may be forbidden
  }
}

/** The code is useless once the organization exists. */
export function clearSetupCode(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {} // storage is forbidden, so nothing was stored
}
