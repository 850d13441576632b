/** The first characters of a value as JSON. What follows is not written: a payload of 5 MB would take a long turn. */
export function writtenJson(value: unknown, { indent, length }: { indent: number; length: number }): string {
  const pieces: string[] = [];
  let room = length;
  const put = (piece: string): boolean => {
    pieces.push(piece);
    room -= piece.length;
    return room > 0;
  };
  /** Returns whether there is room for more. */
  const write = (part: unknown, depth: number): boolean => {
    if (typeof part === "string") return put(JSON.stringify(part.slice(0, Math.max(0, room))));
    if (typeof part !== "object" || part === null) return put(String(part));
    const isList = Array.isArray(part);
    const [open, close] = isList ? "[]" : "{}";
    const line = (at: number): string => (indent === 0 ? "" : `\n${" ".repeat(indent * at)}`);
    let isEmpty = true;
    put(open as string);
    for (const [key, item] of isList ? part.entries() : entriesOf(part)) {
      const name = isList
        ? ""
        : `${JSON.stringify(String(key).slice(0, Math.max(0, room)))}:${indent === 0 ? "" : " "}`;
      put(`${isEmpty ? "" : ","}${line(depth + 1)}${name}`);
      isEmpty = false;
      if (!write(item, depth + 1)) return false;
    }
    return put(`${isEmpty ? "" : line(depth)}${close}`);
  };
  write(value, 0);
  return pieces.join("");
}

/** One by one, since a large object is left after its first few. */
function* entriesOf(value: object): Generator<[string, unknown]> {
  for (const key in value) yield [key, (value as Record<string, unknown>)[key]];
}
