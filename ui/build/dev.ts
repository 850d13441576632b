import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer, type ViteDevServer } from "vite";

// npm run dev [-- --port 9400]: the pages from Vite, which updates them in the browser on each change, and behind them a
// server from its sources, which restarts on each change. The data is in .build/dev.

const root = fileURLToPath(new URL("../..", import.meta.url));
const data = join(root, ".build", "dev");
const cli = join(root, "server/host/supervisor/hearth.ts");
const OWNER = { email: "owner@example.com", password: "change with care" };

const given = process.argv.indexOf("--port");
const port = given === -1 ? 9400 : Number(process.argv[given + 1]);
const behind = port + 1;

/** As server/pages.ts serves them. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, "/chat/index.html"],
  [/^\/admin\/?$/, "/admin/index.html"],
  [/^\/reset\/?$/, "/reset/index.html"],
  [/^\/join\/[\w-]+\/?$/, "/join/link/index.html"],
];
// Not all of /api: ui/api/ has modules of the pages.
const API =
  /^\/(?:api\/v1|host|external|generated|user_avatars|user_uploads|static|thumbnail|avatar|openapi\.json)(?=$|[/?])/;

if (!existsSync(join(data, "hearth.db"))) {
  const names = ["--organization", "Development", "--owner-email", OWNER.email, "--owner-name", "Owner"];
  const init = node(["init", "--data", data, ...names, "--general", "on"], { HEARTH_OWNER_PASSWORD: OWNER.password });
  await new Promise((resolve) => init.on("close", resolve));
}
const vite = await createServer({
  configFile: join(root, "ui/vite.config.ts"),
  base: "/",
  plugins: [{ name: "pages", configureServer: (dev) => () => servePages(dev) }],
  server: {
    port,
    strictPort: true,
    // The Host header stays: the server compares it with Origin.
    proxy: { [API.source]: { target: `http://127.0.0.1:${behind}`, changeOrigin: false } },
    watch: { ignored: ["**/.build/**"] },
  },
  appType: "custom",
});
await vite.listen();
const server = node(["serve", "--data", data, "--port", String(behind), "--rate-limit", "off"], {}, ["--watch"]);
console.log(`http://localhost:${port}/ and /admin/: ${OWNER.email}, password "${OWNER.password}"`);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    server.kill("SIGTERM");
    await vite.close();
    process.exit(0);
  });

function node(args: string[], env: NodeJS.ProcessEnv, flags: string[] = []) {
  return spawn(process.execPath, [...flags, cli, ...args], { stdio: "inherit", env: { ...process.env, ...env } });
}

function servePages(dev: ViteDevServer): void {
  dev.middlewares.use((request, response, next) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const page = PAGES.find(([pattern]) => pattern.test(path))?.[1];
    if (page === undefined) return next();
    // The page is served at another depth than its file, which names its scripts relative to its own folder.
    const html = readFileSync(join(root, "ui", page), "utf8").replace(
      /(src|href)="(\.\.?\/[^"]*)"/g,
      (_, name: string, target: string) => `${name}="${posix.join(dirname(page), target)}"`,
    );
    dev
      .transformIndexHtml(path, html)
      .then((text) => response.setHeader("content-type", "text/html; charset=utf-8").end(text), next);
  });
}
