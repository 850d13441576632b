import { badRequest } from "../errors.ts";
import { userByEmail } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { isBlank } from "./names.ts";

const NAME_LENGTH = { least: 2, most: 100 };
const EMAIL_MOST = 254;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
const NOT_IN_NAMES = /[*`\\>"@\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A person's name as it is kept (docs/protocol.md#names-of-people), or an error that says what is wrong with it. */
export function validFullName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (length < NAME_LENGTH.least) throw badRequest(`A name has at least ${NAME_LENGTH.least} characters.`);
  if (length > NAME_LENGTH.most) throw badRequest(`A name has at most ${NAME_LENGTH.most} characters.`);
  if (isBlank(trimmed)) throw badRequest("A name needs a character that can be seen.");
  const found = NOT_IN_NAMES.exec(trimmed);
  if (found) throw badRequest(`A name cannot contain ${JSON.stringify(found[0])}.`);
  return trimmed;
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";
/** A domain needs no dot: names of a home network have none. */
const ADDRESS = new RegExp(`^[^\\s@"(),:;<>[\\]\\\\\\p{C}]+@${LABEL}(?:\\.${LABEL})*$`, "u");

/** An address as it is kept, or an error. */
export function validEmail(email: string): string {
  const trimmed = email.trim().normalize("NFC");
  if (trimmed.length > EMAIL_MOST) throw badRequest(`An email address has at most ${EMAIL_MOST} characters.`);
  // A domain that can never be anybody's (RFC 2606): the server's own bots have their addresses there.
  if (!ADDRESS.test(trimmed) || /[@.]invalid$/i.test(trimmed)) throw badRequest("That is not an email address.");
  return trimmed;
}

/** The address, if nobody has it yet; letter case makes no difference. */
export function freeEmail(reader: Reader, email: string): string {
  const valid = validEmail(email);
  if (userByEmail(reader, valid)) throw badRequest(`Somebody has an account with ${valid} already.`);
  return valid;
}
