/** Spreadsheets would run these cells as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180), with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}
