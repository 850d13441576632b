// Runs before the first paint (vite.config.ts puts it into each page's head). Without it, somebody who chose dark on a
// light system would see a white flash. The key and the attribute are Mantine's.
(() => {
  let chosen = "auto";
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value") ?? "auto";
  } catch {} // storage may be forbidden: follow the system
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const scheme = dark ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
  document.documentElement.style.colorScheme = scheme;
})();
