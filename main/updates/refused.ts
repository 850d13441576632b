import type { UpdateProblem } from "../bridge-types.ts";

/** Why an update does not go on. The page has the words (ui/locales/en/updates.ts). */
export class UpdateRefused extends Error {
  readonly problem: UpdateProblem;

  constructor(code: UpdateProblem["code"], { detail = null, cause }: { detail?: string | null; cause?: unknown } = {}) {
    super(`${code}${detail === null ? "" : `: ${detail}`}`, { cause });
    this.problem = { code, detail };
  }
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** What any error means: the disk's is told from another. */
export function refusalOf(error: unknown, otherwise: UpdateProblem["code"]): UpdateRefused {
  if (error instanceof UpdateRefused) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code && FULL.has(code)) return new UpdateRefused("diskFull", { detail: message, cause: error });
  return new UpdateRefused(otherwise, { detail: message, cause: error });
}
