import { TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { GroupSetting, type GroupSettingValue } from "../../../parts/settings/GroupSettingPicker.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { useSearchKey } from "../../parts/use-search-key.ts";
import {
  OWNER_PERMISSIONS,
  PERMISSION_SECTIONS,
  type PermissionId,
  permissionIn,
} from "../../settings/permission-settings.ts";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { useRole } from "../../use-role.ts";
import classes from "./PermissionsPage.module.css";

/** Who may do what in the organization. */
export function PermissionsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const field = useSearchKey();
  const isMeant = holdsWords(search.q ?? "");
  const isShown = (id: PermissionId) => isMeant(settingSearchText("organization setting", id));
  const sections = PERMISSION_SECTIONS.map(({ id, permissions }) => ({
    id,
    permissions: permissions.filter(isShown),
  })).filter(({ permissions }) => permissions.length > 0);
  return (
    <Page title={t("nav.permissions")} description={t("organizationPermissions.lead")} width="narrow">
      <search>
        <TextInput
          ref={field}
          aria-keyshortcuts="/"
          className={classes.search}
          type="search"
          size="sm"
          leftSection={<Search size="1rem" aria-hidden="true" />}
          placeholder={t("organizationPermissions.search")}
          aria-label={t("organizationPermissions.search")}
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
        />
      </search>
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
  const initial = useOrganization(({ realm_user_groups, server_supported_permission_settings }) => {
    const name = server_supported_permission_settings?.realm[id]?.default_group_name;
    return realm_user_groups?.find((group) => group.is_system_group && group.name === name)?.id;
  });
  const mayChange = OWNER_PERMISSIONS.has(id) ? isOwner : isAdministrator;
  const label = t(`organizationPermissions.who.${id}`);
  if (value === undefined) return null;

  const save = (next: GroupSettingValue) =>
    client.call("PATCH /realm", { [id]: { new: next } } as Input<"PATCH /realm">);
  const reset = async (group: number) => {
    try {
      await save(group);
      noticeDone(t("saving.savedNamed", { name: label }), () => save(value));
    } catch (error) {
      noticeError(error);
    }
  };
  return (
    <SettingRow
      name={label}
      isChanged={value !== initial}
      onReset={mayChange && initial !== undefined ? () => void reset(initial) : undefined}
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
