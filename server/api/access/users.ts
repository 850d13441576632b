import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { userByEmail } from "../queries/users.ts";
import { isBlank } from "./names.ts";

const NAME_LENGTH = { min: 2, max: 100 };
const MAX_EMAIL_LENGTH = 254;
// biome-ignore lint/suspicious/noControlCharactersInRegex: names cannot contain control characters
const NOT_IN_NAMES = /[*`\\>"@\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A person's name as it is stored (docs/protocol.md#names-of-people), or an error that says what is wrong with it. */
export function validFullName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (length < NAME_LENGTH.min) throw badRequest(`A name has at least ${NAME_LENGTH.min} characters.`);
  if (length > NAME_LENGTH.max) throw badRequest(`A name has at most ${NAME_LENGTH.max} characters.`);
  if (isBlank(trimmed)) throw badRequest("A name needs a character that can be seen.");
  const found = NOT_IN_NAMES.exec(trimmed);
  if (found) throw badRequest(`A name cannot contain ${JSON.stringify(found[0])}.`);
  return trimmed;
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?";
/** A domain needs no dot: names in a home network have none. */
const ADDRESS = new RegExp(`^[^\\s@"(),:;<>[\\]\\\\\\p{C}]+@${LABEL}(?:\\.${LABEL})*$`, "u");

/** An address as it is stored, or an error. */
export function validEmail(email: string): string {
  const trimmed = email.trim().normalize("NFC");
  if (trimmed.length > MAX_EMAIL_LENGTH)
    throw badRequest(`An email address has at most ${MAX_EMAIL_LENGTH} characters.`);
  // Nobody can own a .invalid domain (RFC 2606): the server's own bots have their addresses there.
  if (!ADDRESS.test(trimmed) || /[@.]invalid$/i.test(trimmed)) throw badRequest("That is not an email address.");
  return trimmed;
}

/** The address, if nobody has it yet in any letter case. */
export function freeEmail(reader: Reader, email: string): string {
  const valid = validEmail(email);
  if (userByEmail(reader, valid)) throw badRequest(`Somebody has an account with ${valid} already.`);
  return valid;
}
