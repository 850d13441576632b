import { prepareThread } from "./server-thread.ts";

// The entry of `hearth`. Loading the server's modules takes most of a start, so commands that serve begin with it, on
// another thread, while this thread loads the command line.

if (["serve", "start"].includes(process.argv[2] ?? "") && !process.argv.includes("--help")) prepareThread();
await import("./cli.ts");
