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
import { ResetPage } from "./ResetPage.tsx";

createRoot(document.getElementById("root") as HTMLElement).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <ErrorBoundary>
      <ClientProvider value={createClient()}>
        <ResetPage token={window.location.hash.slice(1)} />
      </ClientProvider>
    </ErrorBoundary>
  </MantineProvider>,
);
