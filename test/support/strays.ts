import { readdirSync, readFileSync } from "node:fs";

// A browser or a desktop app under test lies in a process group of its own (playwright makes it so), and so outlives
// the group of a test file that is killed. What it inherits all the same is the environment.

/** The variable that marks every process of a test file. */
export const MARK = "HEARTH_TEST_FILE";

/** Ends all processes that carry this mark, with their groups; only on Linux, where the environment can be read. */
export function endStrays(mark: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${MARK}=${mark}`)) continue;
      // The third field after the name, which may hold anything, is the group.
      const group = Number(
        readFileSync(`/proc/${pid}/stat`, "latin1")
          .replace(/^.*\) /s, "")
          .split(" ")[2],
      );
      process.kill(-group, "SIGKILL");
    } catch (error) {
      // Gone meanwhile, or another account's.
      const { code } = error as NodeJS.ErrnoException;
      if (!["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code ?? "")) throw error;
    }
  }
}
