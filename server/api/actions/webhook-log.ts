/* What the log of deliveries keeps of requests and answers, both ways. */

const MASK = "********";
const SECRET_NAME =
  "(?:[\\w.-]*(?:secret|token|password|passwd|api[_-]?key|private[_-]?key|signature)|(?:proxy-)?authorization|(?:set-)?cookies?|session(?:[_-]?id)?|credentials?)";
/** The value of a JSON key that names a secret, also in a text that is cut in the middle of it. */
const SECRET_FIELD = new RegExp(`("${SECRET_NAME}"\\s*[:,]\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|$)|-?\\d[\\d.eE+-]*)`, "gi");
/** In the query of an address. */
const SECRET_PARAMETER = new RegExp(`([?&]${SECRET_NAME}=)[^&\\s"'<>]+`, "gi");
const CREDENTIALS = /\b(bearer|basic|token)( +)[\w.~+/=-]{8,}/gi;
// The name ends at the first colon: otherwise a row of colons takes time that grows with its square.
const IN_ADDRESS = /(\/\/)[^\s/@"':]+:[^\s/@"']+@/g;
const IS_SECRET_NAME = new RegExp(`^${SECRET_NAME}$`, "i");

export const isSecretName = (name: string): boolean => IS_SECRET_NAME.test(name);

/** A text without the secrets that can be told by their names: those of JSON, of addresses and of headers. */
export const masked = (text: string): string =>
  text
    .replace(SECRET_FIELD, `$1"${MASK}"`)
    .replace(SECRET_PARAMETER, `$1${MASK}`)
    .replace(CREDENTIALS, `$1$2${MASK}`)
    .replace(IN_ADDRESS, `$1${MASK}@`);

/** Form fields as one text, likewise. */
export const maskedFields = (fields: Iterable<readonly [name: string, value: string]>): string =>
  new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, isSecretName(name) ? MASK : masked(value)]),
  ).toString();

/** At most so many characters, with a mark where there were more. */
export const bounded = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
