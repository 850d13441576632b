import { Checkbox } from "@mantine/core";
import { memo, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { newMemberTexts } from "../../../locales/en/new-members.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { ChoiceSetting, NumberSetting, SwitchSetting } from "../../../parts/settings/settings.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { NEW_MEMBER_SECTIONS, type NewMemberSettingId } from "../../settings/new-member-settings.ts";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { changedIn, isChanged, type Setting } from "../../settings/setting.ts";
import { useReset } from "../../settings/use-reset.ts";
import classes from "./DefaultsPage.module.css";

/** Every setting that the organization can choose for those who join later. */
export function NewMemberSettings({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const isLoaded = useOrganization((state) => state.realm_user_settings_defaults !== undefined);
  // Not the values themselves: all rows would be rendered again with each change.
  const changed = useOrganization((state) =>
    onlyChanged ? changedIn(NEW_MEMBER_SECTIONS, (id) => valueIn(state, id)) : "",
  );
  const isMeant = holdsWords(search.q ?? "");
  if (!isLoaded) return null;

  const shown = NEW_MEMBER_SECTIONS.map(({ id, settings }) => ({
    id,
    settings: settings.filter((setting) => {
      const section = t(`newMembers.sections.${id}`);
      const text = `${section} ${settingSearchText("default setting", setting.id)}`;
      return isMeant(text) && (!onlyChanged || changed.split(" ").includes(setting.id));
    }),
  })).filter(({ settings }) => settings.length > 0);

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
      {shown.map(({ id, settings }) => (
        <section key={id} className={classes.group} aria-label={t(`newMembers.sections.${id}`)}>
          <h4>{t(`newMembers.sections.${id}`)}</h4>
          {id === "others" && <p className={classes.lead}>{t("newMembers.othersHint")}</p>}
          {settings.map((setting) => (
            <NewMemberRow
              key={setting.id}
              setting={setting}
              mayChange={mayChange}
              isTarget={search.open === setting.id}
            />
          ))}
        </section>
      ))}
    </section>
  );
}

interface NewMemberRowProps {
  setting: Setting<NewMemberSettingId>;
  mayChange: boolean;
  isTarget: boolean;
}

const NewMemberRow = memo(function NewMemberRow({ setting, mayChange, isTarget }: NewMemberRowProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { id, kind } = setting;
  const value = useOrganization((state) => valueIn(state, id));
  const name = t(`newMembers.settings.${id}.label`);
  const save = useCallback(
    (next: unknown) =>
      client.call("PATCH /realm/user_settings_defaults", {
        [id]: next,
      } as Input<"PATCH /realm/user_settings_defaults">),
    [client, id],
  );
  const reset = useReset(name, value, save);
  return (
    <SettingRow
      name={name}
      isChanged={isChanged(setting, value)}
      onReset={mayChange ? () => reset(kind.initial) : undefined}
      ownersOnly={false}
      isTarget={isTarget}
    >
      <NewMemberSetting setting={setting} label={name} value={value} disabled={!mayChange} save={save} />
    </SettingRow>
  );
});

const valueIn = (state: State, id: NewMemberSettingId): unknown => state.realm_user_settings_defaults?.[id];

interface NewMemberSettingProps {
  setting: Setting<NewMemberSettingId>;
  label: string;
  value: unknown;
  disabled: boolean;
  save(value: unknown): Promise<unknown>;
}

function NewMemberSetting({ setting: { id, kind }, value, ...texts }: NewMemberSettingProps) {
  const { t } = useTranslation();
  const entry: object = newMemberTexts.newMembers.settings[id];
  if (kind.type === "switch")
    return (
      <SwitchSetting
        {...texts}
        value={value === true}
        {...("help" in entry && { help: t("newMembers.settings.enter_sends.help") })}
      />
    );
  if (kind.type === "number")
    return (
      <NumberSetting
        {...texts}
        value={Number(value)}
        min={kind.min}
        {...(kind.max !== undefined && { max: kind.max })}
      />
    );
  if (kind.type !== "choice") return null;
  // Sounds are called as they are on the wire; the other choices have words.
  const labelOf = (one: string | number) =>
    "values" in entry ? t(`newMembers.settings.${id}.values.${one}` as never) : String(one);
  return (
    <ChoiceSetting
      {...texts}
      value={value as string | number}
      choices={kind.values.map((one) => ({ value: one, label: labelOf(one) }))}
    />
  );
}
