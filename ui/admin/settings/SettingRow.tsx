import { Anchor, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTarget } from "../parts/use-target.ts";
import { useWrite } from "../use-write.ts";
import classes from "./SettingRow.module.css";

export interface SettingRowProps {
  name: string;
  isChanged: boolean;
  /** Undefined if the user cannot change the setting. */
  onReset: (() => void) | undefined;
  ownersOnly: boolean;
  /** Whether the URL points to this setting. */
  isTarget: boolean;
  children: ReactNode;
}

/** A setting in a list, marked if its value is not the default. */
export function SettingRow({ name, isChanged, onReset, ownersOnly, isTarget, children }: SettingRowProps) {
  const { t } = useTranslation();
  const row = useTarget<HTMLDivElement>(isTarget);
  return (
    <div className={classes.row} ref={row} data-changed={isChanged}>
      <div className={classes.control}>{children}</div>
      <Group className={classes.notes} gap="0.25rem 0.75rem">
        {isChanged && (
          <Text span size="xs" c="dimmed" className={classes.changed}>
            {t("settings.changed")}
          </Text>
        )}
        {isChanged && onReset && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={onReset}
            aria-label={t("settings.resetNamed", { name })}
          >
            {t("settings.reset")}
          </Anchor>
        )}
        {ownersOnly && (
          <Text span size="xs" c="dimmed">
            {t("settings.ownersOnly")}
          </Text>
        )}
      </Group>
    </div>
  );
}

/** Resets a setting to its default. */
export function useReset<T>(name: string, value: T, save: (value: T) => Promise<unknown>) {
  const { t } = useTranslation();
  const { mutate: write } = useWrite();
  return (initial: T): void =>
    write({ run: () => save(initial), done: t("saving.savedNamed", { name }), undo: () => save(value) });
}
