import { isAhead } from "../storage/ages.ts";

/** The newest of each day, week and month stay. */
export const KEPT = { days: 7, weeks: 4, months: 12 };

const DAY_MS = 86_400_000;

/** Names of periods; a week begins on Monday. All are in UTC, so that a change of the clock moves no backup. */
const PERIODS: readonly [(time: number) => string, number][] = [
  [(time) => new Date(time).toISOString().slice(0, 10), KEPT.days],
  [(time) => String(Math.floor((time / DAY_MS + 3) / 7)), KEPT.weeks],
  [(time) => new Date(time).toISOString().slice(0, 7), KEPT.months],
];

/**
 * The backups that are no longer needed: the newest of each of the last 7 days, 4 weeks and 12 months with a backup stay,
 * and so the newest of all. Periods without one do not count, so that a server that was off for a year loses nothing.
 * Backups from the future are counted apart: they would take the places of the newest ones until their time has come.
 */
export function superfluous<T extends { created_at: number }>(backups: readonly T[], now: number): T[] {
  const { past = [], future = [] } = Object.groupBy(backups, ({ created_at }) =>
    isAhead(created_at, now) ? "future" : "past",
  );
  return [...beyondPeriods(past), ...beyondPeriods(future)];
}

function beyondPeriods<T extends { created_at: number }>(backups: readonly T[]): T[] {
  const newestFirst = [...backups].sort((a, b) => b.created_at - a.created_at);
  const kept = new Set<T>();
  for (const [periodOf, max] of PERIODS) {
    const periods = new Set<string>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.created_at);
      if (periods.has(period)) continue;
      if (periods.size === max) break;
      periods.add(period);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
