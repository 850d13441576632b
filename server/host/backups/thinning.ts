import { isAhead } from "../../storage/ages.ts";

/** How many days, weeks and months keep their newest backup. */
export const KEPT = { days: 7, weeks: 4, months: 12 };

const DAY_MS = 86_400_000;

/**
 * Names of periods. Weeks begin on Monday. In UTC, so that daylight saving time does not move a backup to another
 * period.
 */
const PERIODS: readonly [(time: number) => string, number][] = [
  [(time) => new Date(time).toISOString().slice(0, 10), KEPT.days],
  [(time) => String(Math.floor((time / DAY_MS + 3) / 7)), KEPT.weeks],
  [(time) => new Date(time).toISOString().slice(0, 7), KEPT.months],
];

/**
 * Backups that can be deleted. The newest backup of each of the last 7 days, 4 weeks and 12 months stays. Periods
 * without a backup do not count, so a server that was off for a year loses nothing. Backups with a time in the future
 * count separately, because they would otherwise replace the newest backups until that time.
 *
 * While the newest backup lacks files, the newest backup of each state of damage stays too. The backup before a file was
 * damaged has the last good copy.
 */
export function superfluous<T extends { created_at: number; lacks: string }>(backups: readonly T[], now: number): T[] {
  const { past = [], future = [] } = Object.groupBy(backups, ({ created_at }) =>
    isAhead(created_at, now) ? "future" : "past",
  );
  return [...beyondPeriods(past), ...beyondPeriods(future)];
}

function beyondPeriods<T extends { created_at: number; lacks: string }>(backups: readonly T[]): T[] {
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
  if (newestFirst[0]?.lacks) {
    const states = new Set<string>();
    for (const backup of newestFirst) {
      if (!states.has(backup.lacks)) kept.add(backup);
      states.add(backup.lacks);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
