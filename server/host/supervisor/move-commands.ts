import { heldContents, newerThan } from "../../api/queries/backups.ts";
import { openStore } from "../../storage/store.ts";
import { filesToMove, type Moved } from "../backups/move.ts";
import { oldFolderOf, putOldAside } from "../backups/move-marks.ts";
import { runOnThread, type WorkPhase } from "../backups/run-on-thread.ts";
import { takeDataFolder } from "./data-folder.ts";
import { moveFailure, moveTarget } from "./move-target.ts";

/* `hearth move`. cli.ts imports this file lazily, because it loads the storage. */

/** `done` and `total` are bytes. */
export type MoveReport = (phase: WorkPhase, done: number, total: number) => void;

/** The caller holds the lock of `from`. Returns lines for the terminal. Throws an Error for users if `to` is unusable. */
export async function moveData(from: string, to: string, report: MoveReport): Promise<string[]> {
  const target = moveTarget(from, to, filesToMove(from).bytes);
  const { problem } = target;
  if (problem !== null) throw moveFailure({ ...target, problem });
  await runOnThread<Moved>(
    { kind: "move", move: { from, to } },
    { on: (message) => message.type === "advanced" && report(message.phase ?? "copying", message.done, message.total) },
  );
  // Makes the new folder valid.
  (await takeDataFolder(to, {})).release();
  putOldAside(to);
  const kept = oldFolderOf(to)?.path ?? from;
  return [
    ...(target.warning === null ? [] : [WARNINGS[target.warning]]),
    `The data folder is ${to} now. Start the server with --data "${to}".`,
    `The old one is kept in ${kept}. Delete it when you do not need it any more;`,
    `until then "hearth move --data ${to} --back" goes back to it.`,
  ];
}

const WARNINGS = {
  synced: "The new folder seems to be synced with other machines: that can damage the data.",
  network: "The new folder is on another machine: no other server may use it.",
};

/** Describes what a revert would lose. Throws an Error for users if there is no old folder. */
export async function backText(folder: string): Promise<string[]> {
  const old = oldFolderOf(folder);
  if (!old) throw new Error(`${folder} was not moved, or the folder that it was moved from no longer exists.`);
  const store = await openStore({ folder });
  try {
    const since = old.mark.baseline ?? { messageId: 0, userId: 0 };
    const { key_rotations: keyRotations } = heldContents(store.reader);
    const { messages, people } = newerThan(store.reader, { ...since, keyRotations });
    return [
      `The old data is in ${old.path}, as it was on ${new Date(old.mark.at).toLocaleString("en")}.`,
      messages === 0 && people === 0
        ? "Nobody has written or joined since. What was changed otherwise since then stays behind."
        : `Since then came ${messages} message${messages === 1 ? "" : "s"} and ${people} ${people === 1 ? "person" : "people"}: they stay behind.`,
    ];
  } finally {
    await store.close();
  }
}

/** The caller holds the lock of `folder`. Returns lines for the terminal. */
export async function moveBack(folder: string): Promise<string[]> {
  const old = await runOnThread<string>({ kind: "go back", back: { folder } });
  (await takeDataFolder(old, {})).release();
  putOldAside(old);
  const kept = oldFolderOf(old)?.path ?? folder;
  return [
    `The data folder is ${old} again. Start the server with --data "${old}".`,
    `What was in ${folder} is in ${kept}.`,
  ];
}
