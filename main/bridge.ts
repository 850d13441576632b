import { ipcMain, type WebContents } from "electron";
import { z } from "zod";
import { problem, problemOf, type ReportedProblem, reported } from "../server/errors.ts";
import { CHAT_IN, KEEP_AWAKE } from "./app-settings.ts";
import type { Desktop, ServerState, UpdateState } from "./bridge-types.ts";
import { ADMIN, isPageOf } from "./sites.ts";

export type Call = Exclude<keyof Desktop, "platform" | "pathOf" | "onServerState"> | "serverState";
export type Answer = { result: unknown } | { error: ReportedProblem };

type UpdateCall =
  | "updates"
  | "setUpdateSource"
  | "checkForUpdate"
  | "downloadUpdate"
  | "cancelUpdate"
  | "chooseInstallerFile"
  | "installUpdate"
  | "removeKeptVersion";

/** The bridge calls for updates. */
export type UpdateCalls = Pick<Desktop, UpdateCall> & { checkInstallerFile(path: string): Promise<UpdateState> };

/** All other bridge calls of the page. */
export type Calls = Pick<Desktop, Exclude<Call, "serverState" | keyof UpdateCalls>> & { serverState(): ServerState };

const nothing = z.tuple([]);
const ARGUMENTS = {
  settings: nothing,
  setNetwork: z.tuple([z.strictObject({ lan: z.boolean() })]),
  setBehavior: z.tuple([
    z
      .strictObject({
        closeToTray: z.boolean(),
        startAtLogin: z.boolean(),
        keepAwake: z.enum(KEEP_AWAKE),
        chatIn: z.enum(CHAT_IN),
        keepChat: z.boolean(),
      })
      .partial(),
  ]),
  service: nothing,
  setService: z.tuple([z.strictObject({ on: z.boolean() })]),
  serverProblem: nothing,
  startAgain: nothing,
  quit: nothing,
  chooseDataFolder: nothing,
  chooseBackup: nothing,
  chooseBackupFolder: nothing,
  useDataFolder: nothing,
  chooseMoveTarget: nothing,
  moveDataFolder: nothing,
  folderWork: nothing,
  cancelMove: nothing,
  goBackToOldFolder: nothing,
  removeOldFolder: nothing,
  showDataFolder: nothing,
  openChat: z.tuple([
    z
      .string()
      .max(2000)
      .regex(/^\/(?:#[\x21-\x7e]*)?$/),
  ]),
  updates: nothing,
  setUpdateSource: z.tuple([
    z.strictObject({ address: z.string().max(2000).nullable(), key: z.string().max(200).nullable() }),
  ]),
  checkForUpdate: nothing,
  downloadUpdate: nothing,
  cancelUpdate: nothing,
  // The preload script passes the path of the file.
  checkInstallerFile: z.tuple([z.string().min(1).max(4096)]),
  chooseInstallerFile: nothing,
  installUpdate: nothing,
  removeKeptVersion: nothing,
  serverState: nothing,
} satisfies Record<Call, z.ZodType>;

/** Responds to calls from the page of our own window only. */
export function offerBridge(page: () => WebContents | undefined, desktop: Calls, updates: UpdateCalls): void {
  for (const name of Object.keys(ARGUMENTS) as Call[]) {
    ipcMain.handle(`hearth:${name}`, async ({ sender, senderFrame }, ...received): Promise<Answer> => {
      if (sender !== page() || senderFrame !== sender.mainFrame || !isPageOf(ADMIN, senderFrame))
        return { error: reported(problem("unknown", { cause: "Refused." })) };
      const args = ARGUMENTS[name].safeParse(received);
      if (!args.success)
        return { error: reported(problem("unknown", { cause: `${name}: ${z.prettifyError(args.error)}` })) };
      try {
        const calls = (name in updates ? updates : desktop) as Record<Call, (...args: unknown[]) => unknown>;
        return { result: await calls[name](...args.data) };
      } catch (error) {
        return { error: reported(problemOf(error)) };
      }
    });
  }
}
