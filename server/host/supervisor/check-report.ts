export interface Part {
  name: string;
  state: "OK" | "note" | "DAMAGED";
  lines: readonly string[];
}

/** What can be repaired, and by what; the advice at the end depends on it. */
export interface Advice {
  /** A start fails, or shows only a part of the data. */
  needsRestore?: boolean;
  needsSecret?: boolean;
  /** Sentences. */
  more: string[];
}

export interface Check {
  folder: string;
  /** Called with each part as soon as it was read. */
  say(part: Part): void;
  advice: Advice;
}
