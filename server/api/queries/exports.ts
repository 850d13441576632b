import type { Reader } from "../../storage/transaction.ts";

/** docs/protocol.md#exports: public channels, or also the data of people who have given consent. */
export const EXPORT_TYPE = { public: 1, withConsent: 2 } as const;
export type ExportType = (typeof EXPORT_TYPE)[keyof typeof EXPORT_TYPE];

export interface ExportContents {
  people: number;
  channels: number;
  messages: number;
  files: number;
}

/** Times are milliseconds since the epoch. Null: not yet available. */
export interface Export extends Record<keyof ExportContents, number | null> {
  id: number;
  type: ExportType;
  acting_user_id: number;
  requested_at: number;
  finished_at: number | null;
  failed_at: number | null;
  /** A stored problem: `readProblem`. */
  failure: string | null;
  /** Deletion time of the file. */
  deleted_at: number | null;
  /** Size of the file. */
  bytes: number | null;
}

const COLUMNS = `id, type, acting_user_id, requested_at, finished_at, failed_at, failure, deleted_at, bytes, people,
  channels, messages, files`;

/** Newest first; all of them without a limit. */
export const allExports = (reader: Reader, limit = -1): Export[] =>
  reader.all<Export>(`SELECT ${COLUMNS} FROM exports ORDER BY id DESC LIMIT ?`, limit);

export const exportById = (reader: Reader, id: number): Export | undefined =>
  reader.get<Export>(`SELECT ${COLUMNS} FROM exports WHERE id = ?`, id);

export const isPending = ({ finished_at, failed_at }: Export): boolean => finished_at === null && failed_at === null;

/** Whether the file can be downloaded. */
export const isAvailable = ({ finished_at, deleted_at }: Export): boolean =>
  finished_at !== null && deleted_at === null;

/** `hearth-export-3-2026-01-01.tar`. */
export const exportFileName = ({ id, requested_at }: Pick<Export, "id" | "requested_at">): string =>
  `hearth-export-${id}-${new Date(requested_at).toISOString().slice(0, 10)}.tar`;

/** Limit of listed exports: an organization creates few, and old deleted ones are of no use. */
export const MAX_LISTED_EXPORTS = 100;
