import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { usePageSearch } from "../../page-search.ts";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import classes from "../../parts/details.module.css";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { GroupMembers } from "./GroupMembers.tsx";
import { GroupSettings } from "./GroupSettings.tsx";

export interface GroupDrawerProps {
  /** Undefined if the URL names no existing group. */
  group: WireUserGroup | undefined;
  groups: readonly WireUserGroup[];
}

export function GroupDrawer({ group, groups }: GroupDrawerProps) {
  const { t } = useTranslation();
  const { nameOf } = useGroupNames();
  const [search, setSearch] = usePageSearch();
  if (!group)
    return (
      <DetailsDrawer title={t("groups.none")}>
        <EmptyState title={t("groups.noneHint")} />
      </DetailsDrawer>
    );
  const tab = search.tab === "settings" && !group.is_system_group ? "settings" : "members";
  return (
    <DetailsDrawer
      title={<bdi>{nameOf(group)}</bdi>}
      subtitle={group.is_system_group ? t("groups.ofRoles") : <bdi>{group.description}</bdi>}
    >
      <Tabs
        key={group.id}
        value={tab}
        onChange={(next) => setSearch({ tab: next === "settings" ? next : undefined })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="members">{t("groups.members")}</Tabs.Tab>
          {!group.is_system_group && <Tabs.Tab value="settings">{t("groups.settings")}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="members" className={classes.panel}>
          <GroupMembers group={group} groups={groups} />
        </Tabs.Panel>
        {!group.is_system_group && (
          <Tabs.Panel value="settings" className={classes.panel}>
            <GroupSettings group={group} />
          </Tabs.Panel>
        )}
      </Tabs>
    </DetailsDrawer>
  );
}
