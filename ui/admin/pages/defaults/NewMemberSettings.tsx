import { Checkbox } from "@mantine/core";
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
import { SearchField } from "../../parts/SearchField.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { SettingControl } from "../../settings/SettingControl.tsx";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { changedIn, isChanged, shownIn } from "../../settings/setting.ts";
import { useReset } from "../../settings/use-reset.ts";
import classes from "./DefaultsPage.module.css";

/** Every setting that the organization can choose for those who join later. */
export function NewMemberSettings({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const isLoaded = useOrganization((state) => state.realm_user_settings_defaults !== undefined);
  const table = useSettingTables()?.new_members;
  // Not the values themselves: all rows would be rendered again with each change.
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

  return (
    <section className={classes.section} aria-labelledby="new-member-settings">
      <h3 id="new-member-settings">{t("newMembers.title")}</h3>
      <p className={classes.lead}>{t("newMembers.lead")}</p>
      <div className={classes.tools}>
        <SearchField
          className={classes.search}
          placeholder={t("table.search")}
          aria-label={t("newMembers.search")}
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
        />
        <Checkbox
          size="sm"
          label={t("newMembers.onlyChanged")}
          checked={onlyChanged}
          onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
        />
      </div>
      {shown.length === 0 && <EmptyState title={t("newMembers.none")} />}
      {shown.map(({ section, settings }) => (
        <section key={section} className={classes.group} aria-label={titleOf(section)}>
          <h4>{titleOf(section)}</h4>
          {section === "others" && <p className={classes.lead}>{t("newMembers.othersHint")}</p>}
          {settings.map((setting) => (
            <NewMemberRow
              key={setting.name}
              setting={setting}
              mayChange={mayChange}
              isTarget={search.open === setting.name}
            />
          ))}
        </section>
      ))}
    </section>
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
