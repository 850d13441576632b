import { randomBytes } from "node:crypto";

/** Long enough for a browser to start. */
export const SESSION_CODE_MS = 60_000;

/** Codes that sign a browser in once. Kept in memory only. */
export class SessionCodes {
  readonly #codes = new Map<string, { userId: number; expiresAt: number }>();
  readonly #monotonic: () => number;

  /** `monotonic`: milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  create(userId: number): string {
    for (const [code, { expiresAt }] of this.#codes) if (expiresAt < this.#monotonic()) this.#codes.delete(code);
    const code = randomBytes(32).toString("base64url");
    this.#codes.set(code, { userId, expiresAt: this.#monotonic() + SESSION_CODE_MS });
    return code;
  }

  /** Uses up the code. Undefined if it is wrong, used or expired. */
  redeem(code: string): number | undefined {
    const entry = this.#codes.get(code);
    this.#codes.delete(code);
    return entry && entry.expiresAt >= this.#monotonic() ? entry.userId : undefined;
  }
}
