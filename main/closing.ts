import type { BrowserWindow } from "electron";
import { choose } from "./dialogs.ts";
import { texts } from "./texts.ts";

export interface Closing {
  peopleOnline: number;
  window: BrowserWindow | undefined;
  /** Whether the app can continue in the tray. */
  canHide: boolean;
}

/** Asks only if people are online. */
export async function askWhetherToQuit({ peopleOnline, window, canHide }: Closing): Promise<"quit" | "hide" | "stay"> {
  if (peopleOnline === 0) return "quit";
  return choose<"quit" | "hide" | "stay">(window?.isVisible() ? window : undefined, {
    type: "question",
    message: texts.online.message(peopleOnline),
    detail: texts.online.detail,
    buttons: {
      ...(canHide && { hide: texts.online.keepInTray }),
      quit: texts.quit,
      stay: texts.online.stay,
    },
  });
}

/** Asks only if people are online. */
export async function askWhetherToUpdate({ peopleOnline, window }: Omit<Closing, "canHide">): Promise<boolean> {
  if (peopleOnline === 0) return true;
  const answer = await choose<"update" | "later">(window?.isVisible() ? window : undefined, {
    type: "question",
    message: texts.online.message(peopleOnline),
    detail: texts.online.updateDetail,
    buttons: { update: texts.online.update, later: texts.online.later },
  });
  return answer === "update";
}
