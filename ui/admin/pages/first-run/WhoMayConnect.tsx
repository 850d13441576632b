import { useTranslation } from "react-i18next";
import classes from "./WhoMayConnect.module.css";

export interface WhoMayConnectProps {
  port: number;
}

/** A typical address in a home network, as an example. Overview shows the real one. */
const EXAMPLE_HOST = "192.168.1.7";

export function WhoMayConnect({ port }: WhoMayConnectProps) {
  const { t } = useTranslation();
  const choices = [
    {
      value: "true",
      name: t("firstRun.lan"),
      hint: t("firstRun.lanHint", { example: `http://${EXAMPLE_HOST}:${port}` }),
    },
    { value: "false", name: t("firstRun.local"), hint: t("firstRun.localHint") },
  ];
  return (
    <fieldset className={classes.choices}>
      <legend>{t("firstRun.who")}</legend>
      {choices.map(({ value, name, hint }) => (
        <label key={value} className={classes.choice}>
          <input
            type="radio"
            name="lan"
            value={value}
            // Safe as the default: without an account, no one gets in.
            defaultChecked={value === "true"}
            aria-describedby={`lan-${value}`}
            aria-label={name}
          />
          <span>
            <strong>{name}</strong>
            <small id={`lan-${value}`}>{hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
