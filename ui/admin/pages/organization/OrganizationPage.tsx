import { memo, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { textAt } from "../../../locales/i18n.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { type Setting, useSettingTables } from "../../../parts/settings/setting-tables.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { FoldedSettings } from "../../settings/FoldedSettings.tsx";
import { SettingControl } from "../../settings/SettingControl.tsx";
import { SettingRow, useReset } from "../../settings/SettingRow.tsx";
import { SettingSearch } from "../../settings/SettingSearch.tsx";
import { changedIn, isChanged, onWire, shownIn } from "../../settings/setting.ts";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useRole } from "../../use-role.ts";
import { DeactivateOrganization } from "./DeactivateOrganization.tsx";
import { Domains } from "./Domains.tsx";
import { Pictures } from "./Pictures.tsx";

/** All settings of the organization except permissions. */
export function OrganizationPage() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const table = useSettingTables()?.organization;
  // Not the state, which would render all rows again at each event.
  const changed = useOrganization((state) =>
    onlyChanged && table ? changedIn(table, (setting) => valueIn(state, setting)) : "",
  );
  const { isOwner, isAdministrator } = useRole();
  const query = (search.q ?? "").trim();
  const matches = wordMatcher(query);
  const isSearching = query !== "" || onlyChanged;

  const sections = shownIn(
    table ?? [],
    ({ name }) =>
      matches(settingSearchText("organization setting", name)) && (!onlyChanged || changed.split(" ").includes(name)),
  );

  return (
    <Page title={t("organization.title")} description={t("organization.lead")} width="narrow">
      <SettingSearch label={t("settings.search")} onlyChanged={onlyChanged} onOnlyChanged={setOnlyChanged} />
      {!table && <PageSkeleton />}
      {table && sections.length === 0 && <EmptyState title={t("settings.none")} />}
      {sections.map(({ section, settings }) => (
        <PageSection key={section} title={textAt(`organization.sections.${section}`) ?? section}>
          <SectionSettings isFolded={section === "others"} {...{ settings, isSearching }} />
          {section === "joining" && !isSearching && <Domains mayChange={isOwner} />}
        </PageSection>
      ))}
      {table && !isSearching && isAdministrator && <Pictures />}
      {table && !isSearching && isOwner && <DeactivateOrganization />}
    </Page>
  );
}

interface SectionSettingsProps {
  settings: readonly Setting[];
  isFolded: boolean;
  isSearching: boolean;
}

function SectionSettings({ settings, isFolded, isSearching }: SectionSettingsProps) {
  const { t } = useTranslation();
  const { isOwner, isAdministrator } = useRole();
  const [{ open }] = usePageSearch();
  const rows = settings.map((setting) => (
    <OrganizationSetting
      key={setting.name}
      setting={setting}
      mayChange={setting.owners_only ? isOwner : isAdministrator}
      isTarget={open === setting.name}
    />
  ));
  if (!isFolded) return rows;
  const isOpen = isSearching || settings.some(({ name }) => name === open);
  return (
    <FoldedSettings isOpen={isOpen} hint={t("organization.sectionHints.others")}>
      {rows}
    </FoldedSettings>
  );
}

interface OrganizationSettingProps {
  setting: Setting;
  mayChange: boolean;
  isTarget: boolean;
}

const OrganizationSetting = memo(function OrganizationSetting(props: OrganizationSettingProps) {
  const { setting, mayChange, isTarget } = props;
  useTranslation();
  const client = useClient();
  const { name, initial, owners_only } = setting;
  const value = useOrganization((state) => valueIn(state, setting));
  const text = (key: string) => textAt(`organization.${name}.${key}`);
  const label = text("label") ?? name;
  const save = useCallback(
    (next: unknown) => client.call("PATCH /realm", { [name]: onWire(setting, next) } as Input<"PATCH /realm">),
    [client, name, setting],
  );
  const reset = useReset(label, value, save);
  return (
    <SettingRow
      name={label}
      isChanged={isChanged(setting, value) && name !== "name"}
      onReset={mayChange ? () => reset(initial) : undefined}
      ownersOnly={owners_only && !mayChange}
      isTarget={isTarget}
    >
      <SettingControl setting={setting} text={text} disabled={!mayChange} value={value} save={save} />
    </SettingRow>
  );
});

const valueIn = (state: State, { name }: Setting): unknown => state[`realm_${name}` as keyof State];
