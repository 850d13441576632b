import "../mantine.css";
import "@fontsource-variable/inter/wght.css";
import "../base.css";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "../api/client.ts";
import { ClientProvider } from "../api/client-context.ts";
import { firstLanguage, loadErrors, showLanguage } from "../locales/i18n.ts";
import { cssVariables, theme } from "../theme.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { keepFocus } from "./kept-focus.ts";

const client = createClient({
  fetch: async (url, init) => {
    // A closing page deletes its event queue. `keepalive` lets that request outlive the page.
    const response = await fetch(url, init?.method === "DELETE" ? { ...init, keepalive: true } : init);
    if (!response.ok) await loadErrors().catch(() => {}); // the texts of errors are not part of the first load
    return response;
  },
});

export function showPage(page: ReactNode): void {
  // If the translation fails to load, the page is in English.
  void showLanguage(firstLanguage())
    .catch(() => {})
    .then(() => render(page));
}

function render(page: ReactNode): void {
  keepFocus();
  // Not needed for the first view: the list of the font's parts is 2 kB.
  void import("@fontsource/noto-color-emoji/emoji-400.css").catch(() => {});
  createRoot(rootElement()).render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <ErrorBoundary>
        <ClientProvider value={client}>{page}</ClientProvider>
      </ErrorBoundary>
    </MantineProvider>,
  );
}

export const rootElement = () => document.getElementById("root") as HTMLElement;
