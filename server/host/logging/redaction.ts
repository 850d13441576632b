export const REDACTED = "[hidden]";

/** A value in text, or in JSON inside a JSON string. */
const VALUE = String.raw`[^\s"'\\&,;<>()\[\]{}]+`;

/**
 * Patterns of secrets, with their replacements. Each replacement keeps the quotation marks and backslashes of its match,
 * so that JSON stays valid.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Authorization: Basic …, Bearer …
  [new RegExp(String.raw`\b(basic|bearer)\s+${VALUE}`, "gi"), `$1 ${REDACTED}`],
  // https://name:password@host
  [/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@"'\\]+@/gi, `$1${REDACTED}@`],
  // The query and fragment of a URL: ?api_key=…, #code=…
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s?#"'\\]+[?#])[^\s"'\\]+/gi, `$1${REDACTED}`],
  // password: …, "api_key":"…", token=…
  [
    new RegExp(
      String.raw`([\w-]*(?:passw(?:or)?d|secret|token|api[_-]?key|credential|cookie|authorization)[\w-]*["'\\]*\s*[:=]\s*["'\\]*)${VALUE}`,
      "gi",
    ),
    `$1${REDACTED}`,
  ],
  // Long words of letters and digits look like keys.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w-])/gi, REDACTED],
];

/** Replacing shorter secrets would make the text unreadable. */
const MIN_SECRET = 4;

/** Hides these secrets, and everything that looks like a secret. */
export function redacted(text: string, secrets: Iterable<string> = []): string {
  let rest = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET) continue;
    rest = rest.replaceAll(secret, REDACTED);
    // The secret in JSON.
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) rest = rest.replaceAll(escaped, REDACTED);
  }
  for (const [pattern, instead] of PATTERNS) rest = rest.replace(pattern, instead);
  return rest;
}
