import assert from "node:assert/strict";
import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import test, { type TestContext } from "node:test";
import { defaultDataFolder, resolveFolder } from "../../server/host/supervisor/data-folder.ts";

function withEnvironment(t: TestContext, values: NodeJS.ProcessEnv): void {
  const before = { ...process.env };
  t.after(() => {
    for (const name of Object.keys(values)) delete process.env[name];
    Object.assign(process.env, before);
  });
  Object.assign(process.env, values);
}

const linux = { skip: process.platform === "linux" ? false : "XDG_DATA_HOME and HOME are Linux's" };

test("the default data folder is an absolute path", linux, (t) => {
  withEnvironment(t, { XDG_DATA_HOME: "/srv/data", HOME: "/home/ada" });
  assert.equal(defaultDataFolder(), "/srv/data/hearth");
  for (const none of ["", "data"]) {
    process.env["XDG_DATA_HOME"] = none;
    assert.equal(defaultDataFolder(), "/home/ada/.local/share/hearth");
  }
  process.env["HOME"] = "";
  assert.equal(defaultDataFolder(), join(userInfo().homedir, ".local/share/hearth"));
});

test("a typed folder may start with ~", () => {
  assert.equal(resolveFolder("~/chat"), join(homedir(), "chat"));
  assert.equal(resolveFolder("~"), homedir());
  assert.equal(resolveFolder("chat"), resolve("chat"));
  assert.equal(resolveFolder("~ada/chat"), resolve("~ada/chat"));
});
