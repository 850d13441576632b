import { Stack, Title } from "@mantine/core";
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
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { FoldedSettings } from "../../settings/FoldedSettings.tsx";
import { SettingControl } from "../../settings/SettingControl.tsx";
import { SettingRow, useReset } from "../../settings/SettingRow.tsx";
import { SettingSearch } from "../../settings/SettingSearch.tsx";
import { changedIn, isChanged, shownIn } from "../../settings/setting.ts";

/** The default values of personal settings, for people who join later. */
export function NewMemberSettings({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const isLoaded = useOrganization((state) => state.realm_user_settings_defaults !== undefined);
  const table = useSettingTables()?.new_members;
  // Not the values, which would render all rows again at each change.
  const changed = useOrganization((state) =>
    onlyChanged && table ? changedIn(table, (setting) => valueIn(state, setting)) : "",
  );
  const matches = wordMatcher(search.q ?? "");
  if (!isLoaded || !table) return null;

  const titleOf = (section: string) => textAt(`newMembers.sections.${section}`) ?? section;
  const shown = shownIn(table, ({ name }, section) => {
    const text = `${titleOf(section)} ${settingSearchText("default setting", name)}`;
    return matches(text) && (!onlyChanged || changed.split(" ").includes(name));
  });

  const row = (setting: Setting) => (
    <NewMemberRow key={setting.name} setting={setting} mayChange={mayChange} isTarget={search.open === setting.name} />
  );

  return (
    <PageSection title={t("newMembers.title")} description={t("newMembers.lead")}>
      <SettingSearch label={t("newMembers.search")} onlyChanged={onlyChanged} onOnlyChanged={setOnlyChanged} />
      {shown.length === 0 && <EmptyState title={t("newMembers.none")} />}
      {shown.map(({ section, settings }) => (
        <Stack key={section} component="section" gap="xxs" pt="md" aria-label={titleOf(section)}>
          <Title order={4} size="sm">
            {titleOf(section)}
          </Title>
          {section === "others" ? (
            <FoldedSettings
              isOpen={Boolean(search.q) || onlyChanged || settings.some(({ name }) => name === search.open)}
              hint={t("newMembers.othersHint")}
            >
              {settings.map(row)}
            </FoldedSettings>
          ) : (
            <div>{settings.map(row)}</div>
          )}
        </Stack>
      ))}
    </PageSection>
  );
}

interface NewMemberRowProps {
  setting: Setting;
  mayChange: boolean;
  isTarget: boolean;
}

const NewMemberRow = memo(function NewMemberRow({ setting, mayChange, isTarget }: NewMemberRowProps) {
  useTranslation();
  const client = useClient();
  const { name, initial } = setting;
  const value = useOrganization((state) => valueIn(state, setting));
  const text = (key: string) => textAt(`userSettings.${name}.${key}`);
  const label = text("label") ?? name;
  const save = useCallback(
    (next: unknown) =>
      client.call("PATCH /realm/user_settings_defaults", {
        [name]: next,
      } as Input<"PATCH /realm/user_settings_defaults">),
    [client, name],
  );
  const reset = useReset(label, value, save);
  return (
    <SettingRow
      name={label}
      isChanged={isChanged(setting, value)}
      onReset={mayChange ? () => reset(initial) : undefined}
      ownersOnly={false}
      isTarget={isTarget}
    >
      <SettingControl setting={setting} text={text} disabled={!mayChange} value={value} save={save} />
    </SettingRow>
  );
});

const valueIn = (state: State, { name }: Setting): unknown =>
  (state.realm_user_settings_defaults as Readonly<Record<string, unknown>> | undefined)?.[name];
