import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { textAt } from "../../../locales/i18n.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { GroupSetting, type GroupSettingValue } from "../../../parts/settings/GroupSettingPicker.tsx";
import { type Setting, settingsIn, useSettingTables } from "../../../parts/settings/setting-tables.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { FoldedSettings } from "../../settings/FoldedSettings.tsx";
import { SettingRow, useReset } from "../../settings/SettingRow.tsx";
import { SettingSearch } from "../../settings/SettingSearch.tsx";
import { permissionIn, shownIn } from "../../settings/setting.ts";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useRole } from "../../use-role.ts";

/** The group that has the permission in a new organization. */
const initialIn = ({ realm_user_groups }: State, { initial }: Setting) =>
  realm_user_groups?.find((group) => group.is_system_group && group.name === initial)?.id;

export function PermissionsPage() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const table = useSettingTables()?.permissions;
  // Not the state, which would render all rows again at each event.
  const changed = useOrganization((state) =>
    onlyChanged
      ? settingsIn(table)
          .filter((setting) => permissionIn(state, setting.name) !== initialIn(state, setting))
          .map(({ name }) => name)
          .join(" ")
      : "",
  );
  const matches = wordMatcher(search.q ?? "");
  const sections = shownIn(
    table ?? [],
    ({ name }) =>
      matches(settingSearchText("organization setting", name)) && (!onlyChanged || changed.split(" ").includes(name)),
  );
  const row = (setting: Setting) => (
    <PermissionRow key={setting.name} setting={setting} isTarget={search.open === setting.name} />
  );
  return (
    <Page title={t("nav.permissions")} description={t("organizationPermissions.lead")} width="narrow">
      <SettingSearch
        label={t("organizationPermissions.search")}
        onlyChanged={onlyChanged}
        onOnlyChanged={setOnlyChanged}
      />
      {!table && <PageSkeleton />}
      {table && sections.length === 0 && <EmptyState title={t("organizationPermissions.none")} />}
      {sections.map(({ section, settings }) => (
        <PageSection key={section} title={textAt(`organizationPermissions.sections.${section}`) ?? section}>
          {section === "others" ? (
            <FoldedSettings
              isOpen={Boolean(search.q) || onlyChanged || settings.some(({ name }) => name === search.open)}
              hint={t("organization.sectionHints.others")}
            >
              {settings.map(row)}
            </FoldedSettings>
          ) : (
            settings.map(row)
          )}
        </PageSection>
      ))}
    </Page>
  );
}

function PermissionRow({ setting, isTarget }: { setting: Setting; isTarget: boolean }) {
  const client = useClient();
  const { isOwner, isAdministrator } = useRole();
  const { name, owners_only } = setting;
  const value = useOrganization((state) => permissionIn(state, name));
  const initial = useOrganization((state) => initialIn(state, setting));
  const mayChange = owners_only ? isOwner : isAdministrator;
  const label = textAt(`organizationPermissions.who.${name}.label`) ?? name;
  const save = (next: GroupSettingValue) =>
    client.call("PATCH /realm", { [name]: { new: next } } as Input<"PATCH /realm">);
  const reset = useReset<GroupSettingValue>(label, value ?? 0, save);
  if (value === undefined) return null;

  return (
    <SettingRow
      name={label}
      isChanged={value !== initial}
      onReset={mayChange && initial !== undefined ? () => reset(initial) : undefined}
      ownersOnly={owners_only && !mayChange}
      isTarget={isTarget}
    >
      <GroupSetting label={label} permission={{ of: "realm", name }} value={value} disabled={!mayChange} save={save} />
    </SettingRow>
  );
}
