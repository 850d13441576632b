import { builtinModules } from "node:module";
import { defineConfig, type Plugin } from "vite";

// Bundles the desktop app and the server's threads into a flat folder, so that threads are next to their starters.
// `vite build --app` builds both environments.
const external = ["electron", "original-fs", "sql.js", "wasm-vips", ...builtinModules, /^node:/];

/** server/run.mjs passes a temporary folder and renames it after the build. */
const build = process.env.HEARTH_BUILD ?? "../.build";

/** The Node inside Electron, which runs most of this. The pinned Node (package.json) is newer. */
const ELECTRON_NODE = "node24";

/** Saves 15 ms per start. @fastify/static loads glob for an option that Hearth does not use (`wildcard: false`). */
const withoutGlob: Plugin = {
  name: "without-glob",
  enforce: "pre",
  resolveId: (id) => (id === "glob" ? "\0glob" : undefined),
  load: (id) => (id === "\0glob" ? "export const glob = undefined;" : undefined),
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [withoutGlob],
  builder: {
    async buildApp(builder) {
      for (const name of ["app", "preload"]) await builder.build(builder.environments[name]!);
    },
  },
  environments: {
    app: {
      consumer: "server",
      resolve: { noExternal: true, external: ["electron", "original-fs", "sql.js", "wasm-vips"] },
      build: {
        outDir: `${build}/app`,
        emptyOutDir: true,
        target: ELECTRON_NODE,
        minify: false,
        sourcemap: true,
        // The licences of the bundled packages must accompany them.
        license: { fileName: "licenses.md" },
        rolldownOptions: {
          input: {
            main: `${import.meta.dirname}/main.ts`,
            cli: `${import.meta.dirname}/../server/host/supervisor/hearth.ts`,
            thread: `${import.meta.dirname}/../server/host/supervisor/thread.ts`,
            "backup-thread": `${import.meta.dirname}/../server/host/backups/backup-thread.ts`,
            "export-thread": `${import.meta.dirname}/../server/host/exports/export-thread.ts`,
            "import-thread": `${import.meta.dirname}/../server/host/imports/import-thread.ts`,
            "mdns-thread": `${import.meta.dirname}/../server/host/mdns/mdns-thread.ts`,
            "image-thread": `${import.meta.dirname}/../server/media/images/image-thread.ts`,
          },
          external,
          output: {
            format: "es",
            entryFileNames: "[name].js",
            chunkFileNames: "[name]-[hash].js",
            // V8 keeps the source in memory. A single character outside Latin-1 doubles its size.
            charset: "ascii",
            comments: false,
          },
        },
      },
    },
    // A sandboxed preload has no module loader: each is one CommonJS file.
    preload: {
      consumer: "server",
      build: {
        outDir: `${build}/app`,
        emptyOutDir: false,
        target: ELECTRON_NODE,
        minify: false,
        rolldownOptions: {
          input: {
            preload: `${import.meta.dirname}/preload.ts`,
            "chat-preload": `${import.meta.dirname}/chat-preload.ts`,
          },
          external,
          output: { format: "cjs", entryFileNames: "[name].cjs" },
        },
      },
    },
  },
});
