import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/organization.ts";
import { ROOT } from "../support/packed-app.ts";
import { until } from "../support/patience.ts";

// NSIS compiles Hearth's addition to the uninstaller, and Wine runs it. The installer around it is the smallest possible,
// because the one of electron-builder needs plug-ins that Debian does not have.

const run = promisify(execFile);
const RUN_KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";

const makensis = process.env.HEARTH_MAKENSIS;
const wine = [process.env.HEARTH_WINE ?? "", "/usr/bin/wine64", "/usr/lib/wine/wine64"].find((path) =>
  existsSync(path),
);
const reason = !makensis
  ? (process.env.HEARTH_NO_MAKENSIS ?? "npm test finds NSIS, and this file was not started by that")
  : "there is no Wine (Debian, Ubuntu: apt-get install wine64)";

const script = (isUpdated: boolean) => `Unicode true
Target amd64-unicode
Name Hearth
OutFile "Hearth Setup.exe"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\\Programs\\Hearth"
!include LogicLib.nsh
!define isUpdated "1 == ${isUpdated ? 1 : 0}"
!include "${ROOT}main/installers/uninstall.nsh"
Section
  SetOutPath $INSTDIR
  WriteUninstaller "$INSTDIR\\Uninstall Hearth.exe"
SectionEnd
Section Uninstall
  !insertmacro customUnInstall
  RMDir /r $INSTDIR
SectionEnd
`;

/** Installs and removes the program silently. Returns whether Windows still starts it at sign-in. */
async function removed(t: TestContext, { isUpdated }: { isUpdated: boolean }) {
  const folder = temporaryFolder(t);
  const { DISPLAY: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    WINEPREFIX: join(folder, "wine"),
    WINEDEBUG: "-all",
    WINEDLLOVERRIDES: "mscoree,mshtml=",
  };
  const windows = (...args: string[]) => run(wine!, args, { cwd: folder, env });
  const user = join(folder, "wine/drive_c/users", userInfo().username, "AppData");
  const files = [join(user, "Local/Hearth/hearth.db"), join(user, "Roaming/Hearth Desktop/settings.json")];
  try {
    await windows("reg", "add", RUN_KEY, "/v", "org.hearth.Hearth", "/d", "C:\\Hearth.exe", "/f");
    for (const file of files) {
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, "kept");
    }
    writeFileSync(join(folder, "setup.nsi"), script(isUpdated));
    await run(makensis!, ["-V2", "-WX", "setup.nsi"], { cwd: folder, env });
    await windows("Hearth Setup.exe", "/S");
    const program = join(user, "Local/Programs/Hearth");
    await windows(join(program, "Uninstall Hearth.exe"), "/S");
    await until(() => !existsSync(program) || undefined, "the program to be removed"); // by a copy of the uninstaller
    for (const file of files) assert.equal(readFileSync(file, "utf8"), "kept");
    const query = windows("reg", "query", RUN_KEY, "/v", "org.hearth.Hearth");
    return await query.then(
      () => true,
      () => false,
    );
  } finally {
    await windows("wineboot", "--kill");
  }
}

const skip = makensis && wine ? false : reason;

test("the Windows uninstaller keeps the data and ends the start at sign-in", { skip }, async (t) => {
  assert.equal(await removed(t, { isUpdated: false }), false);
});

test("an update on Windows keeps the data and the start at sign-in", { skip }, async (t) => {
  assert.equal(await removed(t, { isUpdated: true }), true);
});
