/** The operators of RFC 6570. `named` puts `code=` before the value, `reserved` keeps reserved characters. */
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

/** Expands a template as the server accepts it: a web URL with the only variable `code`. Undefined for others. */
export function playgroundUrl(template: string, code: string): string | undefined {
  let hasCode = false;
  const url = template.trim().replace(/\{([+#./;?&]?)code(?::([1-9]\d{0,3})|\*)?\}/g, (_, operator, length) => {
    hasCode = true;
    const { first, named, reserved } = OPERATORS[operator as string] ?? { first: "" };
    const value = length === undefined ? code : [...code].slice(0, Number(length)).join("");
    const written = reserved
      ? encodeURI(value)
      : encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
    return `${first}${named ? "code=" : ""}${written}`;
  });
  return hasCode && /^https?:\/\/[^/{}]/i.test(url) && !/[{}]/.test(url) ? url : undefined;
}
