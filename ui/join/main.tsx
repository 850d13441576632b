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
import { JoinPage } from "./JoinPage.tsx";

const root = document.getElementById("root") as HTMLElement;
// `/join/{token}/`
const token = window.location.pathname.split("/")[2] ?? "";

createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <ErrorBoundary>
      <ClientProvider value={createClient()}>
        <JoinPage token={token} isInvalid={root.dataset["status"] === "404"} />
      </ClientProvider>
    </ErrorBoundary>
  </MantineProvider>,
);
