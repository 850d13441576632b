import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { defaultDataFolder } from "../../server/host/supervisor/data-folder.ts";

const installer = (name: string) => fileURLToPath(new URL(`../../main/installers/${name}`, import.meta.url));

test("removing a deb or rpm names the data folder, updating does not", {
  skip: process.platform === "win32",
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-removed-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "update-alternatives"), `#!/bin/sh\necho "$@" >> "${folder}/asked"\n`, { mode: 0o755 });
  const names = { executable: "hearth-of-a-test", sanitizedProductName: "Hearth" } as Record<string, string>;
  const script = readFileSync(installer("after-remove.sh"), "utf8").replaceAll(
    /\$\{(\w+)\}/g,
    (all, name) => names[name] ?? all,
  );
  writeFileSync(join(folder, "after-remove.sh"), script);
  const run = (argument: string) =>
    execFileSync("sh", [join(folder, "after-remove.sh"), argument], {
      encoding: "utf8",
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
  for (const update of ["upgrade", "1"]) assert.equal(run(update), "");
  for (const removal of ["remove", "0"]) {
    const said = run(removal);
    assert.match(said, /~\/\.local\/share\/hearth/);
    assert.match(said, /~\/\.config\/Hearth Desktop/);
  }
  const asked = readFileSync(join(folder, "asked"), "utf8").trim().split("\n");
  assert.deepEqual(asked, Array(2).fill("--remove hearth-of-a-test /opt/Hearth/hearth-of-a-test"));
  if (process.platform === "linux" && !process.env["XDG_DATA_HOME"])
    assert.match(defaultDataFolder(), /\/\.local\/share\/hearth$/);
});

test("the Windows uninstaller names its data folders in each language", () => {
  const script = readFileSync(installer("uninstall.nsh"), "utf8");
  const messages = script.match(/^ *MessageBox .*$/gm) ?? [];
  assert.equal(messages.length, 2);
  for (const message of messages)
    for (const part of ["$LOCALAPPDATA\\Hearth$\\r", "$APPDATA\\Hearth Desktop$\\r", "/SD IDOK"])
      assert.ok(message.includes(part), part);
  assert.ok(!/^\s*(?:RMDir|Delete)\b/m.test(script), "it removes no folder and no file");
});
