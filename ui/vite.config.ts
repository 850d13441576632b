import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Where server/run.mjs wants it, which puts it into place. */
const build = process.env.HEARTH_BUILD ?? "../.build";

// The pages, into `.build/ui/`: a folder for each page's HTML, and `assets/` that they share. Addresses are relative,
// since the same files are served at http://…/admin/ and at app://hearth/.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react(), schemeBeforePaint()],
  build: {
    outDir: `${build}/ui`,
    emptyOutDir: true,
    target: "chrome120",
    sourcemap: true,
    chunkSizeWarningLimit: 600, // kB; 0.2 MB of it is React, and it comes from this machine or the network beside it
    // The terms of what is bundled, which are to go wherever it goes.
    license: { fileName: "licenses.md" },
    // A data: address would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        admin: `${import.meta.dirname}/admin/index.html`,
        join: `${import.meta.dirname}/join/link/index.html`,
        reset: `${import.meta.dirname}/reset/index.html`,
      },
    },
  },
});

/** Modules run after the first paint, so scheme.js goes into the head as a script of the old kind. */
function schemeBeforePaint(): Plugin {
  const source = readFileSync(`${import.meta.dirname}/scheme.js`, "utf8");
  const fileName = `assets/scheme-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
  return {
    name: "scheme-before-paint",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: (_html, { path }) => {
      const up = "../".repeat(path.split("/").length - 2); // `/admin/index.html` lies one deep
      return [{ tag: "script", attrs: { src: `${up}${fileName}` }, injectTo: "head" }];
    },
  };
}
