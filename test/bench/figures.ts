/** A measured value, its limits on this machine, and its target. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The same value of simpler programs, measured in the same run, by name. */
  limits?: Record<string, number>;
  atLeast?: number;
  atMost?: number;
  /** An alternative target: the value is at least this share of a limit. */
  share?: { of: string; min: number };
  /** Details for the JSON output. */
  more?: object;
}

export const isReached = ({ value, limits, atLeast, atMost, share }: Figure): boolean | undefined => {
  if (atLeast === undefined && atMost === undefined) return undefined;
  if (value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY)) return true;
  return share !== undefined && value / (limits?.[share.of] ?? Number.NaN) >= share.min;
};

const digits = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));

function cells(figure: Figure): string[] {
  const { name, value, unit, limits = {}, atLeast, atMost, share } = figure;
  const limited = Object.entries(limits);
  const target = atLeast !== undefined ? `≥ ${digits(atLeast)}` : atMost !== undefined ? `≤ ${digits(atMost)}` : "";
  const reached = isReached(figure);
  return [
    name,
    `${digits(value)} ${unit}`,
    limited.map(([of, limit]) => `${of} ${digits(limit)}`).join(", "),
    limited.map(([, limit]) => (value / limit).toPrecision(2)).join(", "),
    share ? `${target} or ${share.min}` : target,
    reached === undefined ? "" : reached ? "ok" : "missed",
  ];
}

export function table(figures: readonly Figure[]): string {
  const rows = [["figure", "value", "limit", "ratio", "target", ""], ...figures.map(cells)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
