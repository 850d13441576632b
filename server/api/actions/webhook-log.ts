/* Hides secrets in logged requests and responses. */

const MASK = "********";
const SECRET_NAME =
  "(?:[\\w.-]*(?:secret|token|password|passwd|api[_-]?key|private[_-]?key|signature)|(?:proxy-)?authorization|(?:set-)?cookies?|session(?:[_-]?id)?|credentials?)";
/** JSON values whose key names a secret. The text may be cut off in the middle. */
const SECRET_FIELD = new RegExp(`("${SECRET_NAME}"\\s*[:,]\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|$)|-?\\d[\\d.eE+-]*)`, "gi");
/** URL parameters. */
const SECRET_PARAMETER = new RegExp(`([?&]${SECRET_NAME}=)[^&\\s"'<>]+`, "gi");
const CREDENTIALS = /\b(bearer|basic|token)( +)[\w.~+/=-]{8,}/gi;
// The name ends at the first colon. Otherwise a row of colons would take quadratic time.
const IN_ADDRESS = /(\/\/)[^\s/@"':]+:[^\s/@"']+@/g;
const IS_SECRET_NAME = new RegExp(`^${SECRET_NAME}$`, "i");

const isSecretName = (name: string): boolean => IS_SECRET_NAME.test(name);

/** Hides secrets that are recognizable by their names in JSON, URLs and headers. */
export const masked = (text: string): string =>
  text
    .replace(SECRET_FIELD, `$1"${MASK}"`)
    .replace(SECRET_PARAMETER, `$1${MASK}`)
    .replace(CREDENTIALS, `$1$2${MASK}`)
    .replace(IN_ADDRESS, `$1${MASK}@`);

/** For form fields. */
export const maskedFields = (fields: Iterable<readonly [name: string, value: string]>): string =>
  new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, isSecretName(name) ? MASK : masked(value)]),
  ).toString();

/** Shortens the text and marks the cut. */
export const bounded = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
