import { prepareThread } from "./server-thread.ts";

// Where `hearth` begins. The server's modules take longer to load than everything else at a start, so a command that
// serves loads them at once, on their thread, and its own beside them.

if (["serve", "start"].includes(process.argv[2] ?? "") && !process.argv.includes("--help")) prepareThread();
await import("./cli.ts");
