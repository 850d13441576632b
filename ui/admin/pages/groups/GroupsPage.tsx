import { Badge, Button, Group as Row, Text } from "@mantine/core";
import { UsersRound } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { CreateGroup } from "./CreateGroup.tsx";
import { GroupDrawer } from "./GroupDrawer.tsx";
import { type Group, useGroups, useMayCreateGroups } from "./use-groups.ts";

const rowKey = ({ id }: Group) => String(id);
const rowName = ({ name }: Group) => name;
const searchText = ({ name, description }: Group) => `${name} ${description}`;

/** The organization's groups, and the groups of roles. */
export function GroupsPage() {
  const { t } = useTranslation();
  const groups = useGroups();
  const mayCreate = useMayCreateGroups();
  const names = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const [search, setSearch] = usePageSearch();
  const [created, setCreated] = useState<string>();
  const open = groups.find(({ id }) => String(id) === search.open);

  const columns = useMemo(
    (): DataColumn<Group>[] => [
      {
        id: "name",
        header: t("groups.name"),
        width: "minmax(8rem, 1.6fr)",
        sortBy: ({ name }) => name,
        cell: ({ name, group }) => (
          <Row component="span" gap="0 0.5rem">
            <Text
              component="bdi"
              inherit
              fw={560}
              lineClamp={2}
              title={name}
              {...(group.deactivated && { c: "dimmed" })}
            >
              {name}
            </Text>
            {group.deactivated && (
              <Badge size="sm" variant="light" color="gray" tt="none">
                {t("people.deactivated")}
              </Badge>
            )}
          </Row>
        ),
      },
      {
        id: "description",
        header: t("groups.description"),
        width: "minmax(10rem, 1.4fr)",
        from: "medium",
        cell: ({ description }) => (
          <Text component="bdi" inherit c="dimmed" lineClamp={2}>
            {description}
          </Text>
        ),
      },
      {
        id: "members",
        header: t("groups.inEffect"),
        width: "minmax(6rem, 9rem)",
        sortBy: ({ members }) => -members,
        cell: ({ membersInWords }) => membersInWords,
      },
      {
        id: "subgroups",
        header: t("groups.subgroups"),
        width: "minmax(8rem, 1fr)",
        from: "large",
        sortBy: ({ subgroups }) => subgroups.length,
        cell: ({ subgroups }) => (
          <Text component="bdi" inherit c="dimmed">
            {subgroups.join(", ")}
          </Text>
        ),
      },
      {
        id: "kind",
        header: t("groups.kind"),
        width: "7rem",
        from: "medium",
        sortBy: ({ kind, name }) => `${kind} ${name}`,
        cell: ({ kind }) => t(`groups.kinds.${kind}`),
      },
    ],
    [t],
  );
  const facets = useMemo(
    (): Facet<Group>[] => [
      {
        id: "kind",
        label: t("groups.kind"),
        choices: (["own", "role"] as const).map((value) => ({ value, label: t(`groups.kinds.${value}`) })),
        valuesOf: ({ kind }) => [kind],
      },
      {
        id: "status",
        label: t("people.status"),
        choices: [
          { value: "active", label: t("people.active") },
          { value: "deactivated", label: t("people.deactivated") },
        ],
        valuesOf: ({ group }) => [group.deactivated ? "deactivated" : "active"],
      },
    ],
    [t],
  );

  return (
    <Page
      title={t("nav.groups")}
      description={t("groups.lead")}
      actions={
        mayCreate && (
          <Button
            leftSection={<UsersRound size="1.125rem" aria-hidden="true" />}
            onClick={() => setSearch({ do: "create" })}
          >
            {t("groups.create")}
          </Button>
        )
      }
    >
      <DataTable
        label={t("nav.groups")}
        rows={groups}
        columns={columns}
        rowKey={rowKey}
        rowName={rowName}
        searchText={searchText}
        facets={facets}
        defaultSort="kind"
        empty={<EmptyState title={t("groups.empty")} />}
      />
      {/* The event of a new group can arrive after the response. */}
      {search.open !== undefined && (open || search.open !== created) && (
        <GroupDrawer group={open?.group} groups={names ?? []} />
      )}
      {search.do === "create" && mayCreate && (
        <CreateGroup
          onClose={() => setSearch({ do: undefined })}
          onCreated={(id) => {
            setCreated(String(id));
            setSearch({ do: undefined, open: String(id) });
          }}
        />
      )}
    </Page>
  );
}
