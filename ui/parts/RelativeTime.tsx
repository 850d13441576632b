import { exactTime, relative } from "./format.ts";
import { useNow } from "./use-now.ts";

export interface RelativeTimeProps {
  at: number;
  /** How far the server's clock is ahead of this machine's. */
  clockAhead?: number;
}

export function RelativeTime({ at, clockAhead = 0 }: RelativeTimeProps) {
  const localTime = at - clockAhead; // by this machine's clock
  return (
    <time dateTime={new Date(localTime).toISOString()} title={exactTime(localTime)}>
      {relative(localTime, useNow())}
    </time>
  );
}
