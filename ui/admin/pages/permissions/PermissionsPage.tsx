import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { GroupSetting, type GroupSettingValue } from "../../../parts/settings/GroupSettingPicker.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import {
  OWNER_PERMISSIONS,
  PERMISSION_SECTIONS,
  type PermissionId,
  permissionIn,
} from "../../settings/permission-settings.ts";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { SettingSearch } from "../../settings/SettingSearch.tsx";
import { useReset } from "../../settings/use-reset.ts";
import { useRole } from "../../use-role.ts";

const PERMISSIONS = PERMISSION_SECTIONS.flatMap(({ permissions }) => permissions);

/** The group that has the permission in a new organization. */
const initialIn = ({ realm_user_groups, server_supported_permission_settings }: State, id: PermissionId) => {
  const name = server_supported_permission_settings?.realm[id]?.default_group_name;
  return realm_user_groups?.find((group) => group.is_system_group && group.name === name)?.id;
};

/** Who may do what in the organization. */
export function PermissionsPage() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  // Not the state itself: all rows would be rendered again with each event.
  const changed = useOrganization((state) =>
    onlyChanged ? PERMISSIONS.filter((id) => permissionIn(state, id) !== initialIn(state, id)).join(" ") : "",
  );
  const isMeant = holdsWords(search.q ?? "");
  const isShown = (id: PermissionId) =>
    isMeant(settingSearchText("organization setting", id)) && (!onlyChanged || changed.split(" ").includes(id));
  const sections = PERMISSION_SECTIONS.map(({ id, permissions }) => ({
    id,
    permissions: permissions.filter(isShown),
  })).filter(({ permissions }) => permissions.length > 0);
  return (
    <Page title={t("nav.permissions")} description={t("organizationPermissions.lead")} width="narrow">
      <SettingSearch
        label={t("organizationPermissions.search")}
        onlyChanged={onlyChanged}
        onOnlyChanged={setOnlyChanged}
      />
      {sections.length === 0 && <EmptyState title={t("organizationPermissions.none")} />}
      {sections.map(({ id: section, permissions }) => (
        <PageSection key={section} title={t(`organizationPermissions.sections.${section}`)}>
          {permissions.map((id) => (
            <PermissionRow key={id} id={id} isTarget={search.open === id} />
          ))}
        </PageSection>
      ))}
    </Page>
  );
}

function PermissionRow({ id, isTarget }: { id: PermissionId; isTarget: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const { isOwner, isAdministrator } = useRole();
  const value = useOrganization((state) => permissionIn(state, id));
  const initial = useOrganization((state) => initialIn(state, id));
  const mayChange = OWNER_PERMISSIONS.has(id) ? isOwner : isAdministrator;
  const label = t(`organizationPermissions.who.${id}`);
  const save = (next: GroupSettingValue) =>
    client.call("PATCH /realm", { [id]: { new: next } } as Input<"PATCH /realm">);
  const reset = useReset<GroupSettingValue>(label, value ?? 0, save);
  if (value === undefined) return null;

  return (
    <SettingRow
      name={label}
      isChanged={value !== initial}
      onReset={mayChange && initial !== undefined ? () => reset(initial) : undefined}
      ownersOnly={OWNER_PERMISSIONS.has(id) && !mayChange}
      isTarget={isTarget}
    >
      <GroupSetting
        label={label}
        permission={{ of: "realm", name: id }}
        value={value}
        disabled={!mayChange}
        save={save}
      />
    </SettingRow>
  );
}
