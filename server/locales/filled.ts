/** Replaces `{{name}}` in a text by the value with that name. */
export const filled = (text: string, values: Readonly<Record<string, string | number | undefined>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
