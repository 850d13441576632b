/** The log cannot be written or flushed: the store accepts nothing until the server starts again from disk. */
export class StorageFailed extends Error {
  override readonly name = "StorageFailed";
  constructor(cause: unknown) {
    super(`Storage failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** No room for another record. The store has not changed anything. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
  constructor() {
    super("The disk that holds Hearth's data is full. Nothing was changed; make room on it and try again.");
  }
}

/** The log cannot take another record at the moment, though the disk is not full. The store has not changed anything. */
export class StorageBusy extends Error {
  override readonly name = "StorageBusy";
  constructor(cause?: Error) {
    super(`The log's next segment is not ready${cause ? ` (${cause.message})` : ""}. Nothing was changed; try again.`, {
      cause,
    });
  }
}

/** The server is stopping. */
export class StorageClosed extends Error {
  override readonly name = "StorageClosed";
  constructor() {
    super("The server is stopping.");
  }
}

/** The record of a transaction is larger than the log allows. The transaction was rolled back. */
export class RecordTooLarge extends Error {
  override readonly name = "RecordTooLarge";
  constructor(bytes: number, limit: number) {
    super(`The change needs ${bytes} bytes of log; one change may take ${limit}. Nothing was changed; do it in parts.`);
  }
}

/** The files may lack acknowledged changes: the start fails, and names the file and what to do. */
export class StorageDamaged extends Error {
  override readonly name = "StorageDamaged";
  readonly file: string;
  constructor(file: string, problem: string) {
    super(
      `${file}: ${problem}. Hearth does not start, so that nothing more is lost. ` +
        "Keep a copy of the data folder as it is, then restore the newest backup, or ask for help with that copy.",
    );
    this.file = file;
  }
}

/** The data was written by a newer Hearth. */
export class SchemaTooNew extends Error {
  override readonly name = "SchemaTooNew";
  constructor(file: string, found: number, supported: number) {
    super(
      `${file}: written by a newer Hearth (schema ${found}, this one knows ${supported}). Start the newer version.`,
    );
  }
}
