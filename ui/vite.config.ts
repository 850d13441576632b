import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, normalizePath, type Plugin } from "vite";
import { emojiGroups } from "./build/emoji-groups.ts";
import { assertNoCycle, sharedChunks } from "./build/shared-chunks.ts";

const SERVICE_WORKER = "sw";
/** server/run.mjs names a temporary folder and moves the result into place. */
const build = process.env.HEARTH_BUILD ?? "../.build";

/** With forward slashes, as in the bundler's module ids. */
const HERE = normalizePath(import.meta.dirname);
const ENTRIES = {
  chat: `${HERE}/chat/index.html`,
  admin: `${HERE}/admin/index.html`,
  join: `${HERE}/join/link/index.html`,
  notFound: `${HERE}/not-found/index.html`,
  reset: `${HERE}/reset/index.html`,
  unsubscribe: `${HERE}/unsubscribe/index.html`,
};
/** Seen once by each device, so its needs do not decide what the other pages load together. */
const TRUST = { trust: `${HERE}/trust/index.html` };
/** Parts that load separately from their page but show first. */
const FIRSTS = {
  overview: `${HERE}/admin/pages/overview/OverviewPage.tsx`,
  signIn: `${HERE}/parts/SignInPage.tsx`,
};

// Builds the pages into `.build/ui/`: a folder for each page's HTML, and a shared `assets/`. URLs are relative, since the
// same files are served at http://…/admin/ and at app://hearth/.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [
    react(),
    emojiFont(),
    emojiGroupsModule(),
    beforeModules(),
    noCircularChunks(),
    offlineShell(),
    compressedBeside(),
  ],
  worker: { format: "es" },
  build: {
    outDir: `${build}/ui`,
    emptyOutDir: true,
    target: "chrome120",
    sourcemap: true,
    chunkSizeWarningLimit: 600, // kB; 200 of them are React, and the page loads from this machine or the LAN
    // The licences of the bundled packages, which must be shipped with them.
    license: { fileName: "licenses.md" },
    // Inlined assets are data: URLs, which the Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        ...ENTRIES,
        ...TRUST,
        [SERVICE_WORKER]: `${import.meta.dirname}/chat/offline/service-worker.ts`,
      },
      output: {
        codeSplitting: {
          groups: [{ name: sharedChunks(ENTRIES, FIRSTS), includeDependenciesRecursively: false }],
        },
        entryFileNames: ({ name }) => (name === SERVICE_WORKER ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});

/** Shown if no script loads for a while; React removes it. */
const NOT_LOADED = `<div id="root">
      <style>
        #not-loaded { visibility: hidden; animation: 0s linear 10s forwards not-loaded; margin: 3rem; font: 1rem system-ui }
        @keyframes not-loaded { to { visibility: visible } }
      </style>
      <p id="not-loaded">Hearth hasn't loaded yet. <a href="">Reload</a></p>
    </div>`;

/**
 * Modules run after the first paint, and not at all if one of them fails to load. Code that must run before is a classic
 * script at the start of the head.
 */
function beforeModules(): Plugin {
  const source = ["load-again.js", "scheme.js"]
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .join("");
  const fileName = `assets/first-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
  return {
    name: "before-modules",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: (html, { path }) => {
      const up = "../".repeat(path.split("/").length - 2); // `/admin/index.html` is one folder deep
      return {
        html: html.replace('<div id="root"></div>', NOT_LOADED),
        tags: [{ tag: "script", attrs: { src: `${up}${fileName}` }, injectTo: "head-prepend" }],
      };
    },
  };
}

/** The blocks with emoji. Without them, each letter that Inter lacks would load the font. */
const EMOJI_RANGE =
  "U+23, U+2a, U+30-39, U+a9, U+ae, U+200d, U+203c-2bff, U+3030, U+303d, U+3297, U+3299, U+fe0f, U+1f000-1faff, U+e0062-e007f";

/**
 * The emoji font for systems without emoji. The whole font, because the package's smaller parts have only SVG tables,
 * which Chromium does not show. No browser needs WOFF.
 */
function emojiFont(): Plugin {
  return {
    name: "emoji-font",
    enforce: "pre",
    transform: {
      filter: { id: /@fontsource\/noto-color-emoji\/.*\.css$/ },
      handler: (css) =>
        css.replaceAll(
          /src: (url\([^)]+\.woff2\) format\('woff2'\))[^;]*;/g,
          `src: local("Noto Color Emoji"), $1; unicode-range: ${EMOJI_RANGE};`,
        ),
    },
  };
}

/** The pages need only the order of emoji from half a megabyte of data. */
function emojiGroupsModule(): Plugin {
  const name = "virtual:emoji-groups";
  return {
    name: "emoji-groups",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const groups = ${JSON.stringify(emojiGroups())}` : undefined),
  };
}

function noCircularChunks(): Plugin {
  return {
    name: "no-circular-chunks",
    generateBundle(_options, bundle) {
      assertNoCycle(Object.values(bundle).filter((file) => file.type === "chunk"));
    },
  };
}

/** Larger parts, such as lists of common passwords, are not needed offline. */
const MAX_OFFLINE_BYTES = 200_000;

/** Gives the service worker the list of files that the chat page can load. */
function offlineShell(): Plugin {
  return {
    name: "offline-shell",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const files = new Set<string>();
      const seen = new Set<string>();
      const sizeOf = (name: string) => chunks.find(({ fileName }) => fileName === name)?.code.length ?? 0;
      const add = (name: string) => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (seen.has(name) || !chunk) return;
        seen.add(name);
        // Vite removes a chunk that has only styles from the build.
        const modules = Object.keys(chunk.modules);
        if (modules.length === 0 || !modules.every((id) => /\.css$/.test(id))) files.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        const lazy = chunk.dynamicImports.filter((next) => sizeOf(next) <= MAX_OFFLINE_BYTES);
        for (const next of [...chunk.imports, ...lazy]) add(next);
      };
      const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/chat/index.html"));
      const worker = chunks.find(({ name }) => name === SERVICE_WORKER);
      if (!page || !worker) throw new Error("The chat page or its service worker is not in the build.");
      add(page.fileName);
      for (const name of Object.keys(bundle))
        if (/^assets\/(?:first|live-worker|favicon|inter-latin-wght-normal)-[^.]*\.\w+$/.test(name)) files.add(name);
      const names = [...files].sort().map((name) => `/${name}`);
      const version = createHash("sha256").update(names.join()).digest("base64url").slice(0, 8);
      const list = JSON.stringify(JSON.stringify({ files: names, version }));
      worker.code = worker.code.replace(/(["'`])SHELL\1/, () => list);
    },
  };
}

/** Writes compressed copies of scripts and styles, which server/pages.ts serves. */
function compressedBeside(): Plugin {
  return {
    name: "compressed-beside",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!/^assets\/.*\.(?:js|css)$/.test(name)) continue;
        const file = join(dir, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
