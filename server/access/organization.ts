import { badRequest } from "../errors.ts";

const MAX_NAME_LENGTH = 40;

/** An organization's name as it is kept, or an error that names the limit. */
export function validOrganizationName(name: string): string {
  const trimmed = name.trim().normalize("NFC");
  const length = [...trimmed].length;
  if (length === 0) throw badRequest("An organization needs a name.");
  if (length > MAX_NAME_LENGTH) throw badRequest(`An organization's name has at most ${MAX_NAME_LENGTH} characters.`);
  return trimmed;
}
