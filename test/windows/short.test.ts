import { windowsTest } from "../support/windows.ts";

windowsTest("a server on Windows starts, chats, is killed, backs up and restores", [
  "test/host/kill.test.ts",
  "test/host/backup.test.ts",
]);
