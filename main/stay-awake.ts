import type { KeepAwake } from "./bridge-types.ts";

export interface AwakeReasons {
  readonly setting: KeepAwake;
  readonly peopleOnline: number;
  readonly onBattery: boolean;
}

/** Whether the computer must not go to sleep by itself. Its screen may, and closing the lid still sends it to sleep. */
export const mustStayAwake = ({ setting, peopleOnline, onBattery }: AwakeReasons): boolean =>
  peopleOnline > 0 && (setting === "always" || (setting === "on power" && !onBattery));
