import { powerMonitor, powerSaveBlocker } from "electron";
import { type AwakeReasons, mustStayAwake } from "./stay-awake.ts";

/** Keeps the computer awake while there is a reason. */
export class KeptAwake {
  #blocker: number | undefined;

  get isOn(): boolean {
    return this.#blocker !== undefined;
  }

  update(reasons: Omit<AwakeReasons, "onBattery">): void {
    const isNeeded = mustStayAwake({ ...reasons, onBattery: powerMonitor.isOnBatteryPower() });
    if (isNeeded) this.#blocker ??= powerSaveBlocker.start("prevent-app-suspension");
    else this.end();
  }

  end(): void {
    if (this.#blocker !== undefined) powerSaveBlocker.stop(this.#blocker);
    this.#blocker = undefined;
  }
}
