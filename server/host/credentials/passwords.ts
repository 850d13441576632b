import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { badRequest } from "../../errors.ts";
import { HashingQueue, type HashingTurn } from "./hashing-queue.ts";

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 100;

const BLOCK_SIZE = 8;
const HASH_BYTES = 32;

/** Shorter parts of a name occur in many words. */
const MIN_NAME_PART = 3;

/** The password without the names in it; undefined if it contains none. */
function withoutNames(password: string, names: readonly string[]): string | undefined {
  const folded = password.normalize("NFKC").toLowerCase();
  const parts = names
    .flatMap((name) => [name, name.split("@")[0] ?? "", ...name.split(/[^\p{L}\p{N}]+/u)])
    .map((part) => part.normalize("NFKC").toLowerCase())
    .filter((part) => [...part].length >= MIN_NAME_PART)
    .sort((a, b) => b.length - a.length);
  let rest = folded;
  for (const part of parts) rest = rest.split(part).join("");
  return rest === folded ? undefined : rest;
}

/**
 * Returns the password, or throws an ApiError. Lengths are in Unicode code points. `names` are the person's name and
 * email address: the password must be good enough without them.
 */
export async function validPassword(password: string, names: readonly string[] = []): Promise<string> {
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH) throw badRequest("password_too_short", { count: PASSWORD_MIN_LENGTH });
  if (length > PASSWORD_MAX_LENGTH) throw badRequest("password_too_long", { count: PASSWORD_MAX_LENGTH });
  const common = await commonPasswords();
  const isGuessedFirst = (text: string) => common.has(text.toLowerCase()) || isRun(text);
  if (isGuessedFirst(password)) throw badRequest("password_too_common");
  const rest = withoutNames(password, names);
  if (rest !== undefined && ([...rest].length < PASSWORD_MIN_LENGTH || isGuessedFirst(rest)))
    throw badRequest("password_matches_name");
  return password;
}

/** The server itself calls without a turn. */
export interface Passwords {
  /** The text stored in users.password_hash: `scrypt$N$r$p$salt$hash`. */
  hash(password: string, turn?: HashingTurn): Promise<string>;
  /** Without a hash (unknown name, bot) the result is false after the same time. */
  verify(password: string, hash: string | null, turn?: HashingTurn): Promise<boolean>;
}

const OWN_TURN: HashingTurn = { source: "" };

/**
 * Runs scrypt off the event loop. One hash runs at a time, because each takes 128 MB. `cost` is scrypt's N, a power of
 * two.
 */
export function passwordHashing({ cost = 2 ** 17 }: { cost?: number } = {}): Passwords {
  const queue = new HashingQueue();

  const derive = (
    password: string,
    turn: HashingTurn,
    { salt, n, r, p }: { salt: Buffer; n: number; r: number; p: number },
  ): Promise<Buffer> =>
    queue.run(
      turn,
      () =>
        new Promise<Buffer>((resolve, reject) =>
          scrypt(
            password.normalize("NFKC"),
            salt,
            HASH_BYTES,
            { N: n, r, p, maxmem: 160 * n * r * p },
            (error, hash) => (error ? reject(error) : resolve(hash)),
          ),
        ),
    );

  const newHash = (password: string, salt: Buffer, turn: HashingTurn) =>
    derive(password, turn, { salt, n: cost, r: BLOCK_SIZE, p: 1 });

  return {
    async hash(password, turn = OWN_TURN) {
      const salt = randomBytes(16);
      const hash = await newHash(password, salt, turn);
      return ["scrypt", cost, BLOCK_SIZE, 1, salt.toString("base64url"), hash.toString("base64url")].join("$");
    },
    async verify(password, stored, turn = OWN_TURN) {
      if (stored === null) {
        await newHash(password, randomBytes(16), turn);
        return false;
      }
      const [scheme, n, r, p, salt, hash] = stored.split("$");
      if (scheme !== "scrypt" || !salt || !hash) throw new Error("A stored password hash is in an unknown form.");
      const expected = Buffer.from(hash, "base64url");
      const cost = { salt: Buffer.from(salt, "base64url"), n: Number(n), r: Number(r), p: Number(p) };
      const given = await derive(password, turn, cost);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Common passwords in lower case. Loaded on first use, because the list is large. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"] as string[]),
  );
  return common;
}

const MIN_RUN_STEPS = 5;

/** Whether a password repeats a character or is a sequence: `aaaaaaa`, `4567890`, `fedcba`. */
function isRun(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) as number);
  const steps = codes.slice(1).map((code, at) => code - (codes[at] as number));
  const [first = 0] = steps;
  return steps.length >= MIN_RUN_STEPS && Math.abs(first) <= 1 && steps.every((step) => step === first || step === -9);
}
