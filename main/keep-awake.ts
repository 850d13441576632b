import type { PowerMonitor, PowerSaveBlocker } from "electron";
import type { KeepAwake } from "./bridge-types.ts";

export interface AwakeReasons {
  readonly setting: KeepAwake;
  readonly peopleOnline: number;
  readonly onBattery: boolean;
}

/** Whether to prevent automatic sleep. The screen can still turn off, and closing the lid still starts sleep. */
export const mustStayAwake = ({ setting, peopleOnline, onBattery }: AwakeReasons): boolean =>
  peopleOnline > 0 && (setting === "always" || (setting === "on power" && !onBattery));

/** Keeps the computer awake while there is a reason. */
export class KeepAwakeBlocker {
  readonly #monitor: PowerMonitor;
  readonly #blocker: PowerSaveBlocker;
  #id: number | undefined;

  constructor(monitor: PowerMonitor, blocker: PowerSaveBlocker) {
    this.#monitor = monitor;
    this.#blocker = blocker;
  }

  update(reasons: Omit<AwakeReasons, "onBattery">): void {
    const isNeeded = mustStayAwake({ ...reasons, onBattery: this.#monitor.isOnBatteryPower() });
    if (isNeeded) this.#id ??= this.#blocker.start("prevent-app-suspension");
    else this.end();
  }

  end(): void {
    if (this.#id !== undefined) this.#blocker.stop(this.#id);
    this.#id = undefined;
  }
}
