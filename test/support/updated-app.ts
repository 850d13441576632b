import { existsSync, promises as files, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { UpdateSource, UpdateState } from "../../main/bridge-types.ts";
import { createInstaller, type Installer } from "../../main/updates/platform-installer.ts";
import { type UpdatedApp, Updates } from "../../main/updates/updates.ts";

export const NOW = Date.parse("2026-11-23T12:00:00Z");

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-updates-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestApp {
  updates: Updates;
  /** The parent folder of everything. */
  home: string;
  folder: string;
  program: string;
  /** The calls to the app, in order. */
  done: string[];
  saved: UpdateSource[];
  /** The next start of the app, with this version. */
  startAgain(version?: string): Updates;
  now: number;
}

/** An app that only records its calls, and its updates through the real electron-updater. */
export async function appWith(
  t: TestContext,
  {
    source,
    home = temporaryFolder(t),
    ...changes
  }: Partial<UpdatedApp> & { source?: UpdateSource; installer?: Partial<Installer>; home?: string },
): Promise<TestApp> {
  const [folder, program] = [join(home, "updates"), join(home, "Hearth.AppImage")];
  if (!existsSync(program)) writeFileSync(program, "the old program", { mode: 0o755 });
  const [done, saved]: [string[], UpdateSource[]] = [[], []];
  const started: Updates[] = [];
  const found: TestApp = { home, folder, program, done, saved, now: NOW, updates: undefined as never, startAgain };
  function startAgain(version = "9.0.0"): Updates {
    for (const one of started) one.stop();
    const updates = new Updates({
      version,
      installation: "AppImage",
      program,
      executable: program,
      platform: "linux",
      arch: process.arch,
      folder,
      source: source ?? { address: null, key: null },
      saveSource: (one) => void saved.push(one),
      createInstaller: async (to) => {
        const real = await createInstaller({
          installation: "AppImage",
          version,
          folder: to,
          resources: home,
          relaunch() {},
        });
        return { ...real, install: async () => void done.push("install"), ...changes.installer };
      },
      files,
      isSigned: async () => false,
      mayCutOff: async () => true,
      backUp: async () => {
        done.push("back up");
        return "/backups/one.tar";
      },
      endBy: async (replace) => {
        done.push("stop the server");
        done.push(`end: ${await replace()}`);
      },
      report() {},
      now: () => found.now,
      ...changes,
    });
    started.push(updates);
    t.after(() => updates.stop());
    return updates;
  }
  found.updates = startAgain();
  return found;
}

export const about = ({ step, problem, found }: UpdateState) => [step, problem?.code, found?.version];

// AppImageUpdater reads it when it downloads and installs.
process.env["APPIMAGE"] = "/nowhere/Hearth.AppImage";
