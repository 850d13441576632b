/** Gives the browser a file to save. */
export function download(name: string, content: string | Blob, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  // Some browsers read the file only after this call returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
