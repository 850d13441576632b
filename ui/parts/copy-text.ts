/**
 * Copies text to the clipboard; false if the browser forbids it. Browsers offer navigator.clipboard on https and
 * localhost only. LAN addresses are plain http, so there the old copy command is used.
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
  const focused = document.activeElement;
  // A dialog traps the focus, so the field must be inside it.
  (focused?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
