import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { number, time } from "../../../parts/format.ts";
import classes from "./MinuteChart.module.css";

export interface MinuteChartProps {
  /** Oldest first; the last is the minute that runs. */
  perMinute: readonly number[];
  /** When that minute began, by the server's clock. */
  minute: number;
  /** How far that clock is ahead of this machine's, in ms. */
  clockAhead: number;
}

const MINUTE_MS = 60_000;
/** So that three messages in a quiet hour do not look like a storm. */
const MIN_SCALE = 5;

/** A bar for each minute; point at one, or go through them with the arrow keys, to read it. */
export function MinuteChart({ perMinute, minute, clockAhead }: MinuteChartProps) {
  const { t } = useTranslation();
  const [pointed, setPointed] = useState<number>();
  const count = perMinute.length;
  const last = count - 1;
  const most = Math.max(...perMinute);
  const scale = Math.max(most, MIN_SCALE);
  const minuteOf = (index: number) => minute / MINUTE_MS - (last - index);
  const startOf = (index: number) => minuteOf(index) * MINUTE_MS - clockAhead;
  const read = (index: number) =>
    index === last
      ? t("messages.now", { count: perMinute[index] ?? 0 })
      : t("messages.at", { count: perMinute[index] ?? 0, time: time(startOf(index)) });

  const busiest = startOf(perMinute.lastIndexOf(most));
  const summary = most === 0 ? t("messages.quiet") : t("messages.summary", { most: number(most), time: time(busiest) });

  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * count))));
  };
  // A finger leaves as soon as it is lifted: what it pointed at can be read until it taps elsewhere.
  const leave = ({ pointerType }: PointerEvent) => pointerType !== "touch" && setPointed(undefined);
  const step = (event: KeyboardEvent) => {
    const from = pointed ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPointed(Math.min(last, Math.max(0, to)));
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
        aria-valuenow={pointed ?? last}
        aria-valuetext={pointed === undefined ? `${read(last)}. ${summary}` : read(pointed)}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={leave}
        onBlur={() => setPointed(undefined)}
        onKeyDown={step}
      >
        <svg width="100%" height="100%" aria-hidden="true">
          {perMinute.map((messages, index) => {
            const height = messages === 0 ? "2px" : `max(4px, ${(messages / scale) * 100}%)`;
            return (
              <rect
                // A minute keeps its bar while it moves along.
                key={minuteOf(index)}
                className={classes.bar}
                data-empty={messages === 0}
                data-now={index === last}
                data-pointed={index === pointed}
                style={{ x: `${(index / count) * 100}%`, y: `calc(100% - ${height})`, height }}
                width={`${76 / count}%`}
                rx={2}
              />
            );
          })}
        </svg>
      </div>
      <div className={classes.foot}>
        {pointed === undefined ? (
          <>
            <span>{time(startOf(0))}</span>
            <span>{summary}</span>
            <span>{t("messages.rightNow")}</span>
          </>
        ) : (
          <span className={classes.reading}>{read(pointed)}</span>
        )}
      </div>
    </div>
  );
}
