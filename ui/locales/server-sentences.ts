/** Two forms of a sentence, chosen by its first value that is a whole number. */
export interface Plural {
  readonly one: string;
  readonly other: string;
}

/**
 * Sentences of the server as one reads them, by what the server writes. `{}` stands for each value, `{name}` for one
 * that is a parameter's name; the translation names them by number, from `{0}`, where it says them.
 */
export type ServerSentences = Readonly<Record<string, string | Plural>>;

/** Where a value is in a sentence: split by it, every other part is one. */
const VALUE = /(\{(?:name)?\})/;

interface Pattern {
  readonly template: string;
  readonly pattern: RegExp;
}

const compiled = new WeakMap<ServerSentences, readonly Pattern[]>();

/** Those with values, the most literal first: what `{} must be {}.` matches may be `{} must be text.` too. */
function patternsOf(sentences: ServerSentences): readonly Pattern[] {
  let patterns = compiled.get(sentences);
  if (!patterns) {
    patterns = Object.keys(sentences)
      .filter((template) => VALUE.test(template))
      .sort((a, b) => literalLength(b) - literalLength(a))
      .map((template) => ({ template, pattern: patternOf(template) }));
    compiled.set(sentences, patterns);
  }
  return patterns;
}

function patternOf(template: string): RegExp {
  const parts = template.split(VALUE).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return part === "{name}" ? "(\\S+?)" : "(.+?)";
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

const literalLength = (template: string): number => template.replaceAll(/\{(?:name)?\}/g, "").length;

/** Which sentence of the table it is, and the values in it. */
export function templateOf(
  sentences: ServerSentences,
  sentence: string,
): { template: string; values: readonly string[] } | undefined {
  if (Object.hasOwn(sentences, sentence)) return { template: sentence, values: [] };
  for (const { template, pattern } of patternsOf(sentences)) {
    const [, ...values] = pattern.exec(sentence) ?? [];
    if (values.length > 0) return { template, values };
  }
  return undefined;
}

/** `ENOSPC: no space left on device, write`, `listen EADDRINUSE: address already in use 0.0.0.0:80`. */
const NODE_ERROR = /^(?:[a-z_]+ )?(E[A-Z0-9]+)\b[^']*(?:'([^']+)')?/;

/** A cause that Node or the server names, in these words; undefined where they have none for it. */
export function causeIn(causes: Readonly<Record<string, string>>, cause: string): string | undefined {
  if (Object.hasOwn(causes, cause)) return /^E[A-Z0-9]+$/.test(cause) ? undefined : causes[cause];
  const [, code = "", path] = NODE_ERROR.exec(cause) ?? [];
  if (!Object.hasOwn(causes, code)) return undefined;
  return `${causes[code]} (${path === undefined ? code : `${code}: ${path}`})`;
}

/** The translation of a sentence from the server; undefined if the table has none. `shown` formats a value. */
export function translated(
  sentences: ServerSentences,
  sentence: string,
  shown: (value: string) => string = (value) => value,
): string | undefined {
  const found = templateOf(sentences, sentence);
  if (!found) return undefined;
  const { template, values } = found;
  const translation = sentences[template] as string | Plural;
  const count = values.find((value) => /^\d+$/.test(value));
  const words = typeof translation === "string" ? translation : count === "1" ? translation.one : translation.other;
  return words.replace(/\{(\d)\}/g, (_, index: string) => shown(values[Number(index)] ?? ""));
}
