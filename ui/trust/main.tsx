import "@mantine/core/styles/Tabs.layer.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createQueryClient } from "../api/query-client.ts";
import { trustTexts } from "../locales/en/trust.ts";
import { addTexts } from "../locales/i18n.ts";
import { rootElement, showPage } from "../parts/show-page.tsx";
import { TrustPage } from "./TrustPage.tsx";

void addTexts(trustTexts, (language) => import(`../locales/${language}/bundles/trust.ts`));

// server/trust-page.ts writes them.
const { origin = "", fingerprint = "", name = "" } = rootElement().dataset;

showPage(
  <QueryClientProvider client={createQueryClient()}>
    <TrustPage origin={origin} fingerprint={fingerprint} rootName={name} />
  </QueryClientProvider>,
);
