import { Checkbox, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { newMemberTexts } from "../../../locales/en/new-members.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { ChoiceSetting, NumberSetting, SwitchSetting } from "../../../parts/settings/settings.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { NEW_MEMBER_SECTIONS, type NewMemberSettingId } from "../../settings/new-member-settings.ts";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { isChanged, type Setting } from "../../settings/setting.ts";
import classes from "./DefaultsPage.module.css";

/** Every setting that the organization can choose for those who join later. */
export function NewMemberSettings({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const [search, setSearch] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const defaults = useOrganization((state) => state.realm_user_settings_defaults);
  const isMeant = holdsWords(search.q ?? "");
  if (!defaults) return null;

  const valueFor = (id: NewMemberSettingId): unknown => defaults[id];
  const save = (id: NewMemberSettingId, value: unknown) =>
    client.call("PATCH /realm/user_settings_defaults", {
      [id]: value,
    } as Input<"PATCH /realm/user_settings_defaults">);
  const shown = NEW_MEMBER_SECTIONS.map(({ id, settings }) => ({
    id,
    settings: settings.filter((setting) => {
      const section = t(`newMembers.sections.${id}`);
      const text = `${section} ${settingSearchText("default setting", setting.id)}`;
      return isMeant(text) && (!onlyChanged || isChanged(setting, valueFor(setting.id)));
    }),
  })).filter(({ settings }) => settings.length > 0);

  const reset = async ({ id, kind }: Setting<NewMemberSettingId>) => {
    const before = valueFor(id);
    try {
      await save(id, kind.initial);
      const name = t(`newMembers.settings.${id}.label`);
      noticeDone(t("saving.savedNamed", { name }), () => save(id, before));
    } catch (error) {
      noticeError(error);
    }
  };

  return (
    <section className={classes.section} aria-labelledby="new-member-settings">
      <h3 id="new-member-settings">{t("newMembers.title")}</h3>
      <p className={classes.lead}>{t("newMembers.lead")}</p>
      <div className={classes.tools}>
        <TextInput
          className={classes.search}
          size="sm"
          type="search"
          leftSection={<Search size="1rem" aria-hidden="true" />}
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
          {settings.map((setting: Setting<NewMemberSettingId>) => {
            const name = t(`newMembers.settings.${setting.id}.label`);
            return (
              <SettingRow
                key={setting.id}
                name={name}
                isChanged={isChanged(setting, valueFor(setting.id))}
                onReset={mayChange ? () => void reset(setting) : undefined}
                ownersOnly={false}
                isTarget={search.open === setting.id}
              >
                <NewMemberSetting
                  setting={setting}
                  label={name}
                  value={valueFor(setting.id)}
                  disabled={!mayChange}
                  save={(value) => save(setting.id, value)}
                />
              </SettingRow>
            );
          })}
        </section>
      ))}
    </section>
  );
}

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
