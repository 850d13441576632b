import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { propertyList } from "../../server/host/service/launchd.ts";
import { installService, removeService, serviceOf } from "../../server/host/service/service.ts";
import { systemUnit, userUnit } from "../../server/host/service/systemd.ts";
import { taskXml } from "../../server/host/service/task-scheduler.ts";
import { useFolder } from "../support/folder-in-use.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/patience.ts";
import { emptyFolder, hearth, dataFolder as venice } from "../support/server-process.ts";
import { fakeSystemd, serviceMachine, servingProcess, type TestMachineOptions } from "../support/service-machine.ts";

const posix = { skip: process.platform === "win32" ? "the fake tools are shell scripts" : false };
const LINUX: TestMachineOptions = {
  platform: "linux",
  tools: {
    systemctl: 'case "$*" in *restart*) cp "$F/host.json" "$F/data/" ;; *disable*) rm "$F/data/host.json" ;; esac',
    loginctl: "[ $1 != show-user ] || echo Linger=no",
  },
};
const MAC: TestMachineOptions = {
  platform: "darwin",
  tools: {
    sudo: 'exec "$@"',
    launchctl: 'case $1 in bootstrap) cp "$F/host.json" "$F/data/" ;; print) exit 113 ;; esac',
  },
};
const WINDOWS: TestMachineOptions = {
  platform: "win32",
  tools: {
    "whoami.exe": `echo '"pc\\\\ann","S-1-5-21-7-8-1001"'`,
    "schtasks.exe": `case $1 in
      /query) cat "$F/task.xml" ;;
      /create) iconv -f UTF-16LE -t UTF-8 "$5" > "$F/task.xml" ;;
      /run) cp "$F/host.json" "$F/data/" ;;
      /delete) rm "$F/task.xml" ;;
    esac`,
  },
};

/** A machine whose tools, in place of a server, put a host.json into the data folder that names a responding server. */
async function machineWithServer(t: TestContext, options: TestMachineOptions) {
  const machine = serviceMachine(t, options);
  const dataFolder = join(machine.home, "data");
  mkdirSync(dataFolder);
  const server = createServer((_request, response) => response.end('{"result":"success"}'));
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(machine.home, "host.json"), JSON.stringify({ url, token: "secret", pid: process.pid }));
  const command = { program: ["/opt/Hearth/hearth"], dataFolder, options: ["--host", "0.0.0.0", "--port", "9400"] };
  return { machine, dataFolder, url, command };
}

const SYSTEMD_START = ["daemon-reload", "enable hearth.service", "restart hearth.service"];

test("a user service starts with the system by lingering", posix, async (t) => {
  const { machine, url, command } = await machineWithServer(t, LINUX);
  assert.equal(await installService(command, machine), url);
  assert.deepEqual(machine.calls(), [
    "systemctl --user show --property=Version",
    "loginctl show-user 1000 --property=Linger",
    "loginctl enable-linger",
    ...SYSTEMD_START.map((args) => `systemctl --user ${args}`),
  ]);
  const unit = machine.read(".config/systemd/user/hearth.service") ?? "";
  const data = `"--data" "${command.dataFolder}" "--host" "0.0.0.0" "--port" "9400"`;
  assert.ok(unit.includes(`\nExecStart="/opt/Hearth/hearth" "serve" ${data}\n`), unit);
});

test("the removal of a user service undoes everything", posix, async (t) => {
  const { machine, dataFolder, command } = await machineWithServer(t, LINUX);
  await installService(command, machine);
  machine.calls();
  const place = await removeService(dataFolder, machine);
  assert.deepEqual(machine.calls(), [
    "systemctl --user disable --now hearth.service",
    "systemctl --user daemon-reload",
    "loginctl disable-linger",
  ]);
  assert.equal(existsSync(place), false);
  assert.equal(existsSync(dataFolder), true);
  await assert.rejects(removeService(dataFolder, machine), /No Hearth service is installed/);
});

test("lingering that was on before stays on", posix, async (t) => {
  const lingering = { ...LINUX, tools: { ...LINUX.tools, loginctl: "echo Linger=yes" } };
  const { machine, dataFolder, command } = await machineWithServer(t, lingering);
  await installService(command, machine);
  await removeService(dataFolder, machine);
  assert.deepEqual(
    machine.calls().filter((call) => /able-linger/.test(call)),
    [],
  );
});

test("root installs a service of the whole system", posix, async (t) => {
  const { machine, dataFolder, command } = await machineWithServer(t, { ...LINUX, uid: 0 });
  const whole = { ...command, account: "hearth" };
  await installService(whole, machine);
  assert.deepEqual(
    machine.calls(),
    ["show --property=Version", ...SYSTEMD_START].map((args) => `systemctl ${args}`),
  );
  assert.match(machine.read("etc/systemd/system/hearth.service") ?? "", /\nUser=hearth\n/);
  await assert.rejects(installService(command, machine), /already installed for .*\/etc\/systemd\/system/);
  await assert.rejects(installService(whole, { ...machine, uid: 1000 }), /Only root/);
  await assert.rejects(removeService(dataFolder, { ...machine, uid: 1000 }), /Only root/);
});

test("a machine without systemd gets the command to run", posix, async (t) => {
  const systemctl = "echo 'System has not been booted with systemd.' >&2; exit 1";
  const { machine, command } = await machineWithServer(t, { platform: "linux", tools: { systemctl } });
  const install = installService(command, machine);
  await assert.rejects(install, /not been booted with systemd.*\/opt\/Hearth\/hearth serve --data/);
  assert.equal(machine.read(".config/systemd/user/hearth.service"), undefined);
  await assert.rejects(installService(command, { ...machine, env: { PATH: "/nowhere" } }), /ENOENT/);
  await assert.rejects(installService(command, { ...machine, platform: "freebsd" }), /Windows, macOS and Linux/);
});

test("another service with the same name stays", posix, async (t) => {
  const { machine, command } = await machineWithServer(t, LINUX);
  const path = join(machine.home, ".config/systemd/user/hearth.service");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "[Service]\nExecStart=/usr/bin/other\n");
  await assert.rejects(
    installService(command, machine),
    /hearth\.service already exists, and Hearth did not create it/,
  );
  assert.match(machine.read(".config/systemd/user/hearth.service") ?? "", /other/);
  assert.equal(await serviceOf(command.dataFolder, machine), undefined);
});

test("a service of another folder is named and stays", posix, async (t) => {
  const { machine, command } = await machineWithServer(t, LINUX);
  await installService(command, machine);
  const other = { ...command, dataFolder: "/srv/Büro--2" };
  await assert.rejects(installService(other, machine), (error: Error) => error.message.includes(command.dataFolder));
  assert.notEqual(await serviceOf(command.dataFolder, machine), undefined);
});

test("a folder in use gets no service", posix, async (t) => {
  const { machine, dataFolder, command } = await machineWithServer(t, LINUX);
  const url = await useFolder(t, dataFolder);
  await assert.rejects(installService(command, machine), new RegExp(`in use by another Hearth server.*${url}`));
  assert.equal(machine.read(".config/systemd/user/hearth.service"), undefined);
});

test("a service whose server does not start is removed again", posix, async (t) => {
  const { machine, command } = await machineWithServer(t, {
    ...LINUX,
    tools: { ...LINUX.tools, systemctl: "" },
  });
  const install = installService(command, machine, { patience: 0 });
  await assert.rejects(install, /did not start the server.*journalctl --user --unit hearth/);
  assert.equal(machine.read(".config/systemd/user/hearth.service"), undefined);
  assert.equal(machine.calls().at(-1), "loginctl disable-linger");
});

test("a failed change goes back to the previous definition", posix, async (t) => {
  const { machine, command } = await machineWithServer(t, LINUX);
  await installService(command, machine);
  const before = machine.read(".config/systemd/user/hearth.service");
  const path = join(machine.home, "tools/systemctl");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace("case", `! grep -q 9999 "$F"/.config/systemd/user/* || exit 1\ncase`),
  );
  const changed = { ...command, options: ["--host", "127.0.0.1", "--port", "9999"] };
  await assert.rejects(installService(changed, machine), /systemctl --user daemon-reload failed/);
  assert.equal(machine.read(".config/systemd/user/hearth.service"), before);
});

test("an administrator installs the daemon of macOS", posix, async (t) => {
  const { machine, dataFolder, url, command } = await machineWithServer(t, MAC);
  assert.equal(await installService(command, machine), url);
  const PLIST = "/Library/LaunchDaemons/org.hearth.server.plist";
  assert.equal(machine.read(PLIST), propertyList(command, "ann"));
  assert.match(machine.calls().join("\n"), /^sudo sh -c [\s\S]+launchctl bootstrap system ~\/Library\S+plist$/);
  await removeService(dataFolder, machine);
  assert.match(machine.calls().join("\n"), /\nlaunchctl bootout system\/org.hearth.server\n/);
  assert.equal(machine.read(PLIST), undefined);
  const refusing = serviceMachine(t, { ...MAC, asksIn: "dialog", tools: { osascript: "echo cancelled >&2; exit 1" } });
  await assert.rejects(installService(command, refusing), /An administrator .* must allow this: cancelled/);
  assert.match(refusing.calls().join("\n"), /^osascript -e do shell script ".+" with administrator privileges$/s);
});

test("a task starts the server with Windows", posix, async (t) => {
  const { machine, dataFolder, url, command } = await machineWithServer(t, WINDOWS);
  assert.equal(await installService(command, machine), url);
  const [query, ...calls] = machine.calls();
  assert.equal(query, "schtasks.exe /query /tn Hearth /xml");
  assert.deepEqual(
    calls.map((call) => call.replace(/\S+task\.xml/, "FILE")).filter((call) => !call.includes("/query")),
    [
      "whoami.exe /user /fo csv /nh",
      "schtasks.exe /end /tn Hearth",
      "schtasks.exe /create /tn Hearth /xml FILE /f",
      "schtasks.exe /run /tn Hearth",
    ],
  );
  assert.equal(machine.read("task.xml")?.replace("\ufeff", ""), taskXml(command, "S-1-5-21-7-8-1001"));
  await removeService(dataFolder, machine);
  assert.equal(machine.read("task.xml"), undefined);
});

test("Windows asks for an administrator if it must", posix, async (t) => {
  const refuse = 'case $1 in /create|/query) echo "Access is denied." >&2; exit 1 ;; esac';
  const { machine, command } = await machineWithServer(t, {
    ...WINDOWS,
    tools: { ...WINDOWS.tools, "schtasks.exe": refuse, "powershell.exe": 'cp "$F/host.json" "$F/data/"' },
  });
  await installService(command, machine);
  const asked = machine.calls().find((call) => call.startsWith("powershell.exe"));
  assert.match(asked ?? "", /Start-Process schtasks\.exe -Verb RunAs .*'\/create \/tn Hearth \/xml \S+ \/f'; exit/);
  writeFileSync(join(machine.home, "tools/powershell.exe"), "#!/bin/sh\necho canceled >&2\nexit 1\n");
  await assert.rejects(installService(command, machine), /An administrator .* must allow this: canceled/);
});

const NASTY = {
  program: ["/opt/50% off/hearth"],
  dataFolder: '/srv/Büro "A" $HOME & <b>\\',
  options: ["--port", "9400"],
};

test("real systemd accepts the units", {
  skip: !existsSync("/usr/bin/systemd-analyze") && "no systemd-analyze",
}, (t) => {
  const folder = emptyFolder(t);
  const program = [process.execPath];
  const units = {
    user: userUnit({ ...NASTY, program }, { turnsLingeringOn: true }),
    system: systemUnit({ ...NASTY, program, account: "root" }),
  };
  for (const [scope, unit] of Object.entries(units)) {
    const path = join(folder, `hearth-${scope}.service`);
    writeFileSync(path, unit);
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const args = [`--${scope}`, "verify", "--man=no", path];
    const { stderr, status } = spawnSync("systemd-analyze", args, { encoding: "utf8", env });
    assert.deepEqual([status, stderr.split("\n").filter((line) => line.includes("hearth-"))], [0, []], stderr);
  }
});

test("definitions quote every path for their system", () => {
  assert.match(
    userUnit(NASTY, { turnsLingeringOn: false }),
    /^ExecStart="\/opt\/50%% off\/hearth" "serve" "--data" "\/srv\/Büro \\"A\\" \$\$HOME & <b>\\\\" "--port" "9400"$/m,
  );
  assert.match(propertyList(NASTY, "ann"), /<string>\/srv\/Büro &quot;A&quot; \$HOME &amp; &lt;b&gt;\\<\/string>/);
  const xml = taskXml({ ...NASTY, dataFolder: 'C:\\Büro & "A"\\' }, "S-1-5-7");
  assert.ok(xml.includes("<Command>/opt/50% off/hearth</Command>"));
  assert.ok(xml.includes("serve --data &quot;C:\\Büro &amp; \\&quot;A\\&quot;\\\\&quot; --port 9400 --log"), xml);
});

test("the command line installs, reports and removes a service", { skip: process.platform !== "linux" }, async (t) => {
  const { path } = await venice(t);
  const port = await freePort();
  const config = emptyFolder(t);
  const env = { XDG_CONFIG_HOME: config, PATH: `${fakeSystemd(t)}:${process.env["PATH"]}` };
  const codeOf = async (task: string) => (await hearth(t, ["service", task, "--data", path], env).ended).code;
  const place = join(config, "systemd/user/hearth.service");
  const status = `Installed: ${place}\nRunning: http://127.0.0.1:${port}\nLog: journalctl --user --unit hearth\n`;
  const installed = hearth(t, ["service", "install", "--data", path, "--port", String(port)], env);
  assert.equal((await installed.ended).code, 0, installed.stderr);
  const { pid } = servingProcess(t, path);
  assert.ok(installed.stdout.includes(status), installed.stdout);
  assert.match(readFileSync(place, "utf8"), /^ExecStart="\S+node" "\S+\/server\/run.mjs" "hearth" "serve"/m);
  assert.equal(await codeOf("remove"), 0);
  assert.equal(existsSync(place), false);
  await until(() => !isAlive(pid) || undefined, "the end of the server");
  assert.equal(await codeOf("status"), 1);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
