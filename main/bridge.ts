import { ipcMain, type WebContents } from "electron";
import { z } from "zod";
import { KEEP_AWAKE } from "./app-settings.ts";
import type { Desktop, ServerState } from "./bridge-types.ts";
import { isOurPage } from "./guards.ts";

export type Call = Exclude<keyof Desktop, "platform" | "onServerState"> | "serverState";
export type Answer = { result: unknown } | { error: string };

/** The calls that the page may make. */
export type Calls = Pick<Desktop, Exclude<Call, "serverState">> & { serverState(): ServerState };

const nothing = z.tuple([]);
const ARGUMENTS = {
  settings: nothing,
  setNetwork: z.tuple([z.strictObject({ lan: z.boolean() })]),
  setBehavior: z.tuple([
    z.strictObject({ closeToTray: z.boolean(), startAtLogin: z.boolean(), keepAwake: z.enum(KEEP_AWAKE) }).partial(),
  ]),
  serverProblem: nothing,
  startAgain: nothing,
  quit: nothing,
  chooseDataFolder: nothing,
  useDataFolder: nothing,
  showDataFolder: nothing,
  serverState: nothing,
} satisfies Record<Call, z.ZodType>;

/** Answers calls from the page of our own window only. */
export function offerBridge(page: () => WebContents | undefined, calls: Calls): void {
  for (const name of Object.keys(ARGUMENTS) as Call[]) {
    ipcMain.handle(`hearth:${name}`, async ({ sender, senderFrame }, ...received): Promise<Answer> => {
      if (sender !== page() || senderFrame !== sender.mainFrame || !isOurPage(senderFrame))
        return { error: "Refused." };
      const args = ARGUMENTS[name].safeParse(received);
      if (!args.success) return { error: `${name}: ${z.prettifyError(args.error)}` };
      try {
        return { result: await (calls[name] as (...args: unknown[]) => unknown)(...args.data) };
      } catch (error) {
        return { error: (error as Error).message };
      }
    });
  }
}
