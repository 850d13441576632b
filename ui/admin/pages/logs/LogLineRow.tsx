import { memo } from "react";
import { useTranslation } from "react-i18next";
import { exactTime, preciseTime } from "../../../parts/format.ts";
import type { LogLine } from "./follow-log.ts";
import classes from "./LogsPage.module.css";

/** Fields of every line; other fields are details. */
const COMMON: ReadonlySet<string> = new Set(["id", "time", "level", "msg"]);

export const LogLineRow = memo(function LogLineRow({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const { time, level, msg } = line;
  const details = Object.entries(line).filter(([name, value]) => !COMMON.has(name) && value !== null);
  return (
    <li className={classes.line} data-level={level}>
      <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
        {preciseTime(time)}
      </time>
      <span className={classes.level}>{t(`logs.level.${level}`)}</span>
      <div className={classes.message}>
        <span>{msg}</span>
        {details.length > 0 && (
          <details>
            <summary>{t("logs.details")}</summary>
            <dl>
              {details.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{detail(value)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  );
});

/** A stack begins with its error's name and message. */
function detail(value: unknown): string {
  const stack = typeof value === "object" && value !== null ? (value as Record<string, unknown>)["stack"] : undefined;
  if (typeof stack === "string") return stack;
  return typeof value === "string" ? value : JSON.stringify(value);
}
