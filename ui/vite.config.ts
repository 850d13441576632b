import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** server/run.mjs names a temporary folder and moves the result into place. */
const build = process.env.HEARTH_BUILD ?? "../.build";

// Builds the pages into `.build/ui/`: a folder for each page's HTML, and a shared `assets/`. URLs are relative, since the
// same files are served at http://…/admin/ and at app://hearth/.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react(), schemeBeforePaint(), compressedBeside()],
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
        chat: `${import.meta.dirname}/chat/index.html`,
        admin: `${import.meta.dirname}/admin/index.html`,
        join: `${import.meta.dirname}/join/link/index.html`,
        notFound: `${import.meta.dirname}/not-found/index.html`,
        reset: `${import.meta.dirname}/reset/index.html`,
      },
    },
  },
});

/** Modules run after the first paint, so scheme.js becomes a classic script in the head. */
function schemeBeforePaint(): Plugin {
  const source = readFileSync(`${import.meta.dirname}/scheme.js`, "utf8");
  const fileName = `assets/scheme-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
  return {
    name: "scheme-before-paint",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: (_html, { path }) => {
      const up = "../".repeat(path.split("/").length - 2); // `/admin/index.html` is one folder deep
      return [{ tag: "script", attrs: { src: `${up}${fileName}` }, injectTo: "head" }];
    },
  };
}

/** Writes each script and style compressed as well, beside it: server/pages.ts sends what the browser takes. */
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
