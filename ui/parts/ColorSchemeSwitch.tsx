import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./ColorSchemeSwitch.module.css";

const SCHEMES = [
  ["auto", Monitor],
  ["light", Sun],
  ["dark", Moon],
] as const satisfies [MantineColorScheme, typeof Sun][];

/** Mantine stores the choice in localStorage; scheme.js applies it before the first paint. */
export function ColorSchemeSwitch({ onChange }: { onChange?(scheme: MantineColorScheme): void }) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.switch}>
      <legend className={classes.legend}>{t("scheme.label")}</legend>
      {SCHEMES.map(([scheme, Icon]) => (
        <label key={scheme} className={classes.choice} title={t(`scheme.${scheme}`)}>
          <input
            type="radio"
            name="color-scheme"
            value={scheme}
            aria-label={t(`scheme.${scheme}`)}
            checked={colorScheme === scheme}
            onChange={() => {
              setColorScheme(scheme);
              onChange?.(scheme);
            }}
          />
          <Icon size="1rem" aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
