const KEY = "hearth-setup-code";

/** From the address that was opened, also when this tab loads the page again without it; "" where there is none. */
export function rememberSetupCode(): string {
  const given = new URLSearchParams(window.location.hash.slice(1)).get("code");
  try {
    if (given) sessionStorage.setItem(KEY, given);
    return given ?? sessionStorage.getItem(KEY) ?? "";
  } catch {
    return given ?? ""; // storage may be forbidden
  }
}

/** Once the organization is made it opens nothing any more. */
export function clearSetupCode(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {} // then nothing was kept
}
