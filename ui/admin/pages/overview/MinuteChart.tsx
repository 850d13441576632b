import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { number, time } from "../../../parts/format.ts";
import classes from "./MinuteChart.module.css";

export interface MinuteChartProps {
  /** Oldest first; the last one is the current minute. */
  perMinute: readonly number[];
  /** When the current minute began, by the server's clock. */
  minute: number;
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
}

const MINUTE_MS = 60_000;
/** Keeps three messages in a quiet hour from looking like a storm. */
const MIN_SCALE = 5;

/** A bar per minute. The pointer or the arrow keys select a bar and show its value. */
export function MinuteChart({ perMinute, minute, clockAhead }: MinuteChartProps) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<number>();
  const count = perMinute.length;
  const last = count - 1;
  const max = Math.max(...perMinute);
  const scale = Math.max(max, MIN_SCALE);
  const minuteOf = (index: number) => minute / MINUTE_MS - (last - index);
  const startOf = (index: number) => minuteOf(index) * MINUTE_MS - clockAhead;
  const describe = (index: number) =>
    index === last
      ? t("messages.now", { count: perMinute[index] ?? 0 })
      : t("messages.at", { count: perMinute[index] ?? 0, time: time(startOf(index)) });

  const busiest = startOf(perMinute.lastIndexOf(max));
  const summary = max === 0 ? t("messages.quiet") : t("messages.summary", { max: number(max), time: time(busiest) });

  const selectAtPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setSelected(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * count))));
  };
  // A finger leaves when it lifts, so its selection stays until a tap elsewhere.
  const clearSelection = ({ pointerType }: PointerEvent) => pointerType !== "touch" && setSelected(undefined);
  const selectByKey = (event: KeyboardEvent) => {
    const from = selected ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setSelected(Math.min(last, Math.max(0, to)));
  };

  return (
    <div className={classes.chart}>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={t("messages.chart")}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={selected ?? last}
        aria-valuetext={selected === undefined ? `${describe(last)}. ${summary}` : describe(selected)}
        onPointerDown={selectAtPointer}
        onPointerMove={selectAtPointer}
        onPointerLeave={clearSelection}
        onBlur={() => setSelected(undefined)}
        onKeyDown={selectByKey}
      >
        <svg width="100%" height="100%" aria-hidden="true">
          {perMinute.map((messages, index) => {
            const height = messages === 0 ? "2px" : `max(4px, ${(messages / scale) * 100}%)`;
            return (
              <rect
                // Each minute keeps its bar as it moves left.
                key={minuteOf(index)}
                className={classes.bar}
                data-empty={messages === 0}
                data-now={index === last}
                data-selected={index === selected}
                style={{ x: `${(index / count) * 100}%`, y: `calc(100% - ${height})`, height }}
                width={`${76 / count}%`}
                rx={2}
              />
            );
          })}
        </svg>
      </div>
      <div className={classes.footer}>
        {selected === undefined ? (
          <>
            <span>{time(startOf(0))}</span>
            <span>{summary}</span>
            <span>{t("messages.rightNow")}</span>
          </>
        ) : (
          <span className={classes.reading}>{describe(selected)}</span>
        )}
      </div>
    </div>
  );
}
