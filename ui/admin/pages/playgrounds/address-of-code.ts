/** How each operator of RFC 6570 writes a value; `named` writes `code=` before it, `+` and `#` keep reserved characters. */
const OPERATORS: Record<string, { first: string; named?: true; reserved?: true }> = {
  "": { first: "" },
  "+": { first: "", reserved: true },
  "#": { first: "#", reserved: true },
  ".": { first: "." },
  "/": { first: "/" },
  ";": { first: ";", named: true },
  "?": { first: "?", named: true },
  "&": { first: "&", named: true },
};

/**
 * Where code leads by a template that the server takes: a web address whose only variable is `code`. Undefined by
 * any other.
 */
export function addressOfCode(template: string, code: string): string | undefined {
  let hasCode = false;
  const address = template.trim().replace(/\{([+#./;?&]?)code(?::([1-9]\d{0,3})|\*)?\}/g, (_, operator, length) => {
    hasCode = true;
    const { first, named, reserved } = OPERATORS[operator as string] ?? { first: "" };
    const value = length === undefined ? code : [...code].slice(0, Number(length)).join("");
    const written = reserved
      ? encodeURI(value)
      : encodeURIComponent(value).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
    return `${first}${named ? "code=" : ""}${written}`;
  });
  return hasCode && /^https?:\/\/[^/{}]/i.test(address) && !/[{}]/.test(address) ? address : undefined;
}
