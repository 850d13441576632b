/**
 * Puts text on the clipboard; false where the browser lets nobody do it. Browsers offer navigator.clipboard on https
 * and this machine only, and LAN addresses are plain http, so that there the old command does it.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position: fixed; inset-block-start: 0; opacity: 0";
  const before = document.activeElement;
  // In a dialog the focus is kept inside it, so the field has to be in there too.
  (before?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
