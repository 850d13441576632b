/** Stands where a secret stood. */
export const REDACTED = "[hidden]";

/** What a value may consist of, in text or in JSON that is text itself. */
const VALUE = String.raw`[^\s"'\\&,;<>()\[\]{}]+`;

/**
 * Patterns of secrets in text, with what they become. The text may be JSON: no pattern matches a quotation mark or a
 * backslash that it does not put back, so that JSON stays JSON.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Authorization: Basic …, Bearer …
  [new RegExp(String.raw`\b(basic|bearer)\s+${VALUE}`, "gi"), `$1 ${REDACTED}`],
  // https://name:password@host
  [/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@"'\\]+@/gi, `$1${REDACTED}@`],
  // What follows the path of an address holds keys and tokens: ?api_key=…, #code=…
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s?#"'\\]+[?#])[^\s"'\\]+/gi, `$1${REDACTED}`],
  // password: …, "api_key":"…", token=…
  [
    new RegExp(
      String.raw`([\w-]*(?:passw(?:or)?d|secret|token|api[_-]?key|credential|cookie|authorization)[\w-]*["'\\]*\s*[:=]\s*["'\\]*)${VALUE}`,
      "gi",
    ),
    `$1${REDACTED}`,
  ],
  // What looks like a key wherever it stands: a long word of letters and digits.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w-])/gi, REDACTED],
];

/** The shortest text that is looked for as it is: a shorter one would blank out half of what is written. */
const MIN_SECRET = 4;

/** The text without what looks like a secret, and without these secrets wherever they stand. */
export function redacted(text: string, secrets: Iterable<string> = []): string {
  let rest = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET) continue;
    rest = rest.replaceAll(secret, REDACTED);
    // The same in text that is JSON.
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) rest = rest.replaceAll(escaped, REDACTED);
  }
  for (const [pattern, instead] of PATTERNS) rest = rest.replace(pattern, instead);
  return rest;
}
