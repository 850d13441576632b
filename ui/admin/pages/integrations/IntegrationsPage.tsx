import { Skeleton } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "../../../parts/text/Hint.tsx";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import { NameCell } from "../../parts/RowPicture.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { BotHealthText } from "../bots/BotHealthText.tsx";
import { IntegrationDrawer } from "./IntegrationDrawer.tsx";
import { type Integration, useIntegrations } from "./integrations.ts";
import { ServiceLogo } from "./ServiceLogo.tsx";

const USES = ["used", "unused"] as const;
const rowKey = ({ name }: Integration) => name;
const rowName = ({ display_name }: Integration) => display_name;
const searchText = ({ display_name, name, bots }: Integration) =>
  `${display_name} ${name} ${bots.map(({ bot }) => bot.full_name).join(" ")}`;

/** The services that can send messages, and how to set them up. */
export function IntegrationsPage() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const integrations = useIntegrations();

  const columns = useMemo(
    (): DataColumn<Integration>[] => [
      {
        id: "name",
        header: t("integrations.column.name"),
        width: "minmax(0, 1.6fr)",
        sortBy: rowName,
        cell: (integration) => (
          <NameCell picture={<ServiceLogo integration={integration} />} name={integration.display_name} />
        ),
      },
      {
        id: "bots",
        header: t("integrations.column.bots"),
        width: "minmax(0, 1.4fr)",
        sortBy: ({ bots }) => -bots.length,
        cell: ({ bots }) => (
          <Hint>{bots.map(({ bot }) => bot.full_name).join(", ") || t("integrations.used.unused")}</Hint>
        ),
      },
      {
        id: "health",
        header: t("integrations.column.health"),
        width: "minmax(0, 1.2fr)",
        from: "medium",
        cell: ({ bots }) => bots.map((row) => <BotHealthText key={row.bot.user_id} row={row} />),
      },
      {
        id: "signed",
        header: t("integrations.column.signed"),
        width: "minmax(0, 1fr)",
        from: "large",
        sortBy: ({ is_signed }) => (is_signed ? 0 : 1),
        cell: ({ is_signed }) => <Hint>{t(is_signed ? "integrations.signed" : "integrations.unsigned")}</Hint>,
      },
    ],
    [t],
  );
  const facets = useMemo(
    (): Facet<Integration>[] => [
      {
        id: "use",
        label: t("integrations.use"),
        choices: USES.map((value) => ({ value, label: t(`integrations.used.${value}`) })),
        valuesOf: ({ bots }) => [bots.length > 0 ? "used" : "unused"],
      },
    ],
    [t],
  );

  const open = integrations?.find(({ name }) => name === search.open);
  return (
    <Page title={t("integrations.title")} description={t("integrations.description")}>
      {integrations ? (
        <DataTable
          label={t("integrations.title")}
          rows={integrations}
          columns={columns}
          rowKey={rowKey}
          rowName={rowName}
          searchText={searchText}
          facets={facets}
          defaultSort="bots"
          empty={<EmptyState title={t("integrations.empty")} />}
        />
      ) : (
        <Skeleton height="20rem" aria-hidden="true" />
      )}
      {open && <IntegrationDrawer key={open.name} integration={open} />}
    </Page>
  );
}
