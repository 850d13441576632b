import { windowsTest } from "../support/windows.ts";

// Start, chat, kill, restart, backup, restore.
windowsTest("a short day of a server on Windows", ["test/host/kill.test.ts", "test/host/restore-running.test.ts"]);
