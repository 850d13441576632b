import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import { NameCell, RowPicture } from "../../parts/RowPicture.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { allowedKinds, BOT_KINDS } from "./allowed-kinds.ts";
import { BotDrawer } from "./BotDrawer.tsx";
import { BotHealthText } from "./BotHealthText.tsx";
import { type BotRow, CONDITIONS, useBots } from "./bots.ts";
import { CreateBot } from "./CreateBot.tsx";

const rowKey = ({ bot }: BotRow) => String(bot.user_id);
const rowName = ({ bot }: BotRow) => bot.full_name;
const searchText = ({ bot, ownerName }: BotRow) => `${bot.full_name} ${bot.email} ${ownerName ?? ""}`;

/** The bots, their owners and their health. */
export function BotsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const rows = useBots();
  const mayCreate = useOrganization((state) => allowedKinds(state).length > 0);

  const columns = useMemo(
    (): DataColumn<BotRow>[] => [
      {
        id: "name",
        header: t("bots.column.name"),
        width: "minmax(0, 2.2fr)",
        sortBy: rowName,
        cell: (row) => <BotName row={row} />,
      },
      {
        id: "kind",
        header: t("bots.column.kind"),
        width: "minmax(0, 1fr)",
        from: "medium",
        sortBy: ({ kind }) => t(`bots.kind.${kind}`),
        cell: ({ kind }) => t(`bots.kind.${kind}`),
      },
      {
        id: "owner",
        header: t("bots.column.owner"),
        width: "minmax(0, 1fr)",
        from: "medium",
        sortBy: ({ ownerName }) => ownerName ?? "",
        cell: ({ ownerName }) => <bdi>{ownerName ?? t("bots.nobody")}</bdi>,
      },
      {
        id: "health",
        header: t("bots.column.health"),
        width: "minmax(0, 1.4fr)",
        sortBy: ({ condition }) => CONDITIONS.indexOf(condition),
        cell: (row) => <BotHealthText row={row} />,
      },
      {
        id: "last",
        header: t("bots.column.last"),
        width: "minmax(0, 0.9fr)",
        from: "large",
        sortBy: ({ health }) => health?.last?.at ?? 0,
        cell: (row) => <LastUsed row={row} />,
      },
      {
        id: "status",
        header: t("bots.column.status"),
        width: "minmax(0, 0.8fr)",
        from: "large",
        sortBy: ({ bot }) => (bot.is_active ? 0 : 1),
        cell: ({ bot }) => t(bot.is_active ? "bots.status.active" : "bots.status.deactivated"),
      },
    ],
    [t],
  );

  const facets = useMemo((): Facet<BotRow>[] => {
    const owners = new Map(rows.map(({ bot, ownerName }) => [String(bot.owner_id ?? 0), ownerName]));
    return [
      {
        id: "kind",
        label: t("bots.column.kind"),
        choices: BOT_KINDS.map((kind) => ({ value: kind, label: t(`bots.kind.${kind}`) })),
        valuesOf: ({ kind }) => [kind],
      },
      {
        id: "health",
        label: t("bots.column.health"),
        choices: CONDITIONS.map((condition) => ({ value: condition, label: t(`bots.health.${condition}`) })),
        valuesOf: ({ condition }) => [condition],
      },
      {
        id: "owner",
        label: t("bots.column.owner"),
        choices: [...owners].map(([value, name]) => ({ value, label: name ?? t("bots.nobody") })),
        valuesOf: ({ bot }) => [String(bot.owner_id ?? 0)],
      },
      {
        id: "status",
        label: t("bots.column.status"),
        choices: (["active", "deactivated"] as const).map((value) => ({ value, label: t(`bots.status.${value}`) })),
        valuesOf: ({ bot }) => [bot.is_active ? "active" : "deactivated"],
      },
    ];
  }, [rows, t]);

  const create = mayCreate && (
    <Button leftSection={<Plus size="1.0625rem" aria-hidden="true" />} onClick={() => setSearch({ create: "bot" })}>
      {t("bots.create")}
    </Button>
  );
  const open = rows.find((row) => rowKey(row) === search.open);
  return (
    <Page title={t("bots.title")} description={t("bots.description")} actions={rows.length > 0 && create}>
      <DataTable
        label={t("bots.title")}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowName={rowName}
        searchText={searchText}
        facets={facets}
        defaultSort="name"
        empty={
          <EmptyState title={t("bots.empty")} action={create}>
            {t("bots.emptyHint")}
          </EmptyState>
        }
      />
      {open && <BotDrawer row={open} />}
      {mayCreate && search.create !== undefined && (
        <CreateBot
          onCreated={(id) => setSearch({ open: String(id), tab: "connect", create: undefined })}
          onClose={() => setSearch({ create: undefined })}
        />
      )}
    </Page>
  );
}

function BotName({ row: { bot, kind } }: { row: BotRow }) {
  const { t } = useTranslation();
  return (
    <NameCell picture={<RowPicture src={bot.avatar_url} />} name={<bdi>{bot.full_name}</bdi>}>
      <div data-from="medium">
        {bot.is_active ? (
          <Hint size="xs">{bot.email}</Hint>
        ) : (
          <StatusText tone="quiet">{t("bots.status.deactivated")}</StatusText>
        )}
      </div>
      <Hint size="xs" data-until="medium">
        {t(`bots.kind.${kind}`)}
      </Hint>
    </NameCell>
  );
}

function LastUsed({ row: { health } }: { row: BotRow }) {
  const { t } = useTranslation();
  if (!health) return null;
  return health.last ? <RelativeTime at={health.last.at} /> : <Hint>{t("bots.never")}</Hint>;
}
