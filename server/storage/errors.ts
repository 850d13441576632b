/** The log could not be written or flushed: nothing more is accepted until the server has started again from disk. */
export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(cause: unknown) {
    super(`Storage failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** No room for another record: refused before anything was changed. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
  constructor() {
    super("The disk that holds Hearth's data is full. Nothing was changed; make room on it and try again.");
  }
}

/** The server is stopping. */
export class StorageClosed extends Error {
  override readonly name = "StorageClosed";
  constructor() {
    super("The server is stopping.");
  }
}

/** One transaction that would need a record larger than the log takes; it was rolled back. */
export class RecordTooLarge extends Error {
  override readonly name = "RecordTooLarge";
  constructor(bytes: number, limit: number) {
    super(`The change needs ${bytes} bytes of log; one change may take ${limit}. Nothing was changed; do it in parts.`);
  }
}

/** What is on disk cannot be taken for what was acknowledged: the start stops, naming the file and the way out. */
export class StorageDamaged extends Error {
  override readonly name = "StorageDamaged";
  readonly file: string;
  constructor(file: string, what: string) {
    super(
      `${file}: ${what}. Hearth does not start, so that nothing more is lost. ` +
        "Keep a copy of the data folder as it is, then restore the newest backup, or ask for help with that copy.",
    );
    this.file = file;
  }
}

/** The data was written by a newer Hearth. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  constructor(file: string, found: number, known: number) {
    super(`${file}: written by a newer Hearth (schema ${found}, this one knows ${known}). Start the newer version.`);
  }
}
