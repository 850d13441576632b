import type { StoredFiles } from "../../media/files/stored-files.ts";
import type { Store, UnsavedPages } from "../../storage/store.ts";
import type { PaceSetter } from "./pace.ts";

/** With so many bytes of changed pages in memory, the database is read as fast as can be. */
const HURRY_BYTES = 96 << 20;
const WATCH_MS = 250;

/**
 * Calls `read` while the database file stays as it is and no upload is removed. The changes of meanwhile are in memory,
 * so the pace is fast where they become many; `databaseRead` releases the database before the end. `withoutRoom`: as for
 * Store.snapshot.
 */
export async function withPacedSnapshot<Result>(
  { store, files }: { store: Store; files: StoredFiles },
  pace: PaceSetter,
  read: (databaseRead: () => void, unsaved: UnsavedPages | undefined) => Promise<Result>,
  options: { withoutRoom?: boolean } = {},
): Promise<Result> {
  const releaseFiles = files.hold();
  try {
    const snapshot = await store.snapshot(options);
    const watching = setInterval(() => {
      if (store.sizes.changed >= HURRY_BYTES) pace.set("fast");
    }, WATCH_MS);
    const databaseRead = () => {
      clearInterval(watching);
      pace.set("gentle");
      snapshot.release();
    };
    try {
      return await read(databaseRead, snapshot.unsaved);
    } finally {
      databaseRead();
    }
  } finally {
    await releaseFiles();
  }
}
