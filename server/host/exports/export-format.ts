import type { ExportScope } from "../../api/access/exports.ts";
import type { ExportContents, ExportType } from "../../api/queries/exports.ts";
import type { User } from "../../api/queries/users.ts";
import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader } from "../../storage/transaction.ts";

/** What a format makes an export of: one state of the organization, which does not change meanwhile. */
export interface ExportSource {
  readonly reader: Reader;
  readonly scope: ExportScope;
  readonly type: ExportType;
  /** Who asked for it: email addresses that are hidden from them are not in it. */
  readonly viewer: User;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** The Hearth that makes it. */
  readonly version: string;
  /** Whether the file of an upload is on disk. */
  isPresent(file: StoredFile): boolean;
  /** Messages read, of all. Called often. */
  advanced(done: number, total: number): void;
}

/** One file of the archive: its bytes, or the upload that it is a copy of. Names are ASCII, of at most 60 characters. */
export interface ExportEntry {
  readonly name: string;
  readonly content: Uint8Array | StoredFile;
}

/**
 * How an export is written: its entries in order, and in the end how much they hold. Whatever needs the database comes
 * before the first upload, since writes wait for a long reader.
 */
export type ExportFormat = (source: ExportSource) => Generator<ExportEntry, ExportContents>;
