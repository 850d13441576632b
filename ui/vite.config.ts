import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The pages, into `.build/ui/`: a folder for each page's HTML, and `assets/` that they share. Addresses are relative,
// since the same files are served at http://…/admin/ and at app://hearth/.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../.build/ui",
    emptyOutDir: true,
    target: "chrome120",
    sourcemap: true,
    // A data: address would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: { input: { admin: `${import.meta.dirname}/admin/index.html` } },
  },
});
