interface Variable {
  readonly name: string;
  /** The number of characters in `{name:3}`. */
  readonly prefix: number | undefined;
}

interface Expression {
  readonly operator: string;
  readonly variables: readonly Variable[];
}

/** A parsed URL template of RFC 6570: literal text and expressions. */
export type UrlTemplate = readonly (string | Expression)[];

/** The names of its variables. */
export const variablesIn = (template: UrlTemplate): Set<string> =>
  new Set(template.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name))));

/** How each operator of RFC 6570 joins its values; `named` writes name=value. `+` and `#` keep reserved characters. */
const OPERATORS: Record<string, { first: string; between: string; named?: "=" | ""; reserved?: true }> = {
  "": { first: "", between: "," },
  "+": { first: "", between: ",", reserved: true },
  "#": { first: "#", between: ",", reserved: true },
  ".": { first: ".", between: "." },
  "/": { first: "/", between: "/" },
  ";": { first: ";", between: ";", named: "" },
  "?": { first: "?", between: "&", named: "=" },
  "&": { first: "&", between: "&", named: "=" },
};
const VARIABLE = /^((?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*)(?::([1-9]\d{0,3})|\*)?$/i;

/** Undefined if the template is malformed. */
export function parseTemplate(template: string): UrlTemplate | undefined {
  const parts: (string | Expression)[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (!part.startsWith("{") || !part.endsWith("}")) {
      if (/[{}]/.test(part)) return undefined;
      if (part !== "") parts.push(part);
      continue;
    }
    const operator = /^[+#./;?&]/.exec(part.slice(1))?.[0] ?? "";
    const variables: Variable[] = [];
    for (const written of part.slice(1 + operator.length, -1).split(",")) {
      const match = VARIABLE.exec(written);
      if (!match) return undefined;
      variables.push({ name: match[1] as string, prefix: match[2] === undefined ? undefined : Number(match[2]) });
    }
    parts.push({ operator, variables });
  }
  return parts;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character, "utf8")].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

const encodeUnreserved = (text: string): string => text.replace(/[^A-Za-z0-9\-._~]/gu, percentEncoded);
const encodeReserved = (text: string): string =>
  text.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu, (part) =>
    part.length === 3 && part.startsWith("%") ? part : percentEncoded(part),
  );

/** Expands a template with text values (3.2.1: without lists and maps, `*` has no effect). */
export function expand(template: UrlTemplate, value: (name: string) => string | undefined): string {
  const parts = template.map((part) => {
    if (typeof part === "string") return encodeReserved(part);
    const { first, between, named, reserved } = OPERATORS[part.operator] as (typeof OPERATORS)[string];
    const values = part.variables.flatMap(({ name, prefix }) => {
      const full = value(name);
      if (full === undefined) return [];
      const text = prefix === undefined ? full : [...full].slice(0, prefix).join("");
      const encoded = reserved ? encodeReserved(text) : encodeUnreserved(text);
      if (named === undefined) return [encoded];
      return [encoded === "" ? `${name}${named}` : `${name}=${encoded}`];
    });
    return values.length === 0 ? "" : first + values.join(between);
  });
  return parts.join("");
}

/** For tests with the examples of RFC 6570. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string | undefined {
  const parts = parseTemplate(template);
  return parts && expand(parts, (name) => values[name]);
}
