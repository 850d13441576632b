import { resolve } from "node:path";

/** Commands whose process serves until a signal. */
const SERVING = ["serve", "start"];

/**
 * The command of the command line, if the app was started with one: `hearth serve --data …`. Files and links that the
 * system passes to the app contain other characters than names of commands.
 */
export function commandIn(argv: readonly string[], app: { isPackaged: boolean; path: string }): string[] | undefined {
  const own = app.isPackaged ? 1 : argv.findIndex((argument) => resolve(argument) === resolve(app.path)) + 1;
  const args = argv.slice(own);
  const start = args.findIndex((argument) => !argument.startsWith("--"));
  return own > 0 && /^[a-z][a-z-]*$/.test(args[start] ?? "") ? args.slice(start) : undefined;
}

/**
 * Runs a command in place of the app. Never resolves: Electron starts Chromium only when its main module has loaded, so
 * a server needs no display, no sandbox, and no session of a user.
 */
export async function runCommand(command: readonly string[]): Promise<never> {
  process.argv = [process.execPath, "hearth", ...command];
  await import("../server/host/supervisor/hearth.ts");
  if (process.exitCode || !SERVING.includes(command[0] ?? "") || command.includes("--help"))
    process.exit(process.exitCode); // Electron ignores `exitCode`
  return new Promise(() => {});
}
