import { readdirSync, readFileSync } from "node:fs";

// Playwright puts a browser or desktop app into a separate process group, so it survives a killed test file. It still
// inherits the test file's environment, which identifies it.

/** The variable that marks every process of a test file. */
export const MARK = "HEARTH_TEST_FILE";

/** Kills all processes with this marker, and their groups. Works only on Linux, where the environment can be read. */
export function endStrays(mark: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${MARK}=${mark}`)) continue;
      // The group is the third field after the name, which may contain anything.
      const group = Number(
        readFileSync(`/proc/${pid}/stat`, "latin1")
          .replace(/^.*\) /s, "")
          .split(" ")[2],
      );
      process.kill(-group, "SIGKILL");
    } catch (error) {
      // It has exited, or belongs to another user.
      const { code } = error as NodeJS.ErrnoException;
      if (!["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code ?? "")) throw error;
    }
  }
}
