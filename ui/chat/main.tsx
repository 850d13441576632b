import "../mantine.css";
import "@fontsource-variable/inter/wght.css";
import "../base.css";
import "../locales/i18n.ts";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { createClient } from "../api/client.ts";
import { ClientProvider } from "../api/client-context.ts";
import { ErrorBoundary } from "../parts/ErrorBoundary.tsx";
import { cssVariables, theme } from "../theme.ts";
import { App } from "./App.tsx";

// A page that is closed deletes its event queue with its last request; `keepalive` lets that request outlive the page.
const client = createClient({
  fetch: (url, init) => fetch(url, init?.method === "DELETE" ? { ...init, keepalive: true } : init),
});

createRoot(document.getElementById("root") as HTMLElement).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <ErrorBoundary>
      <ClientProvider value={client}>
        <App />
      </ClientProvider>
    </ErrorBoundary>
  </MantineProvider>,
);
