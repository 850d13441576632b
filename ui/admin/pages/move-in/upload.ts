import type { Client } from "../../../api/client.ts";
import { sendForm } from "../../../api/send-form.ts";
import { Store } from "../../../api/store.ts";
import type { ExportFile } from "./export-files.ts";

/** An upload continues while the user visits other pages. */
interface Upload {
  readonly name: string;
  /** Bytes. */
  readonly done: number;
  readonly total: number;
  cancel(): void;
}

export const uploads = new Store<{ readonly current?: Upload; readonly error?: unknown }>({});

/** Uploads the files of an export and has the server read it. Failures are in `uploads`. */
export async function uploadExport(client: Client, name: string, files: readonly ExportFile[]): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const show = (done: number) => uploads.set({ current: { name, done, total, cancel: () => abort.abort() } });
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  show(0);
  let hasBegun = false;
  try {
    await client.call("POST /host/imports/current", { name });
    hasBegun = true;
    let done = 0;
    for (const { file, path } of files) {
      signal.throwIfAborted();
      const form = new FormData();
      form.set("path", path);
      form.set("file", file, file.name);
      const before = done;
      // The form is larger than its file.
      const onProgress = (sent: number) => show(before + Math.min(sent, file.size));
      await sendForm("/host/imports/current/files", form, { onProgress, signal });
      done += file.size;
      show(done);
    }
    signal.throwIfAborted();
    await client.call("POST /host/imports/current/read", {});
    uploads.set({});
  } catch (error) {
    if (hasBegun) await client.call("DELETE /host/imports/current", {}).catch(() => {});
    uploads.set(signal.aborted ? {} : { error });
  } finally {
    window.removeEventListener("beforeunload", ask);
  }
}
