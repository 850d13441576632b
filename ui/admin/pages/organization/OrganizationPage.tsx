import i18next from "i18next";
import { memo, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { settingSearchText } from "../../parts/setting-labels.ts";
import { ORGANIZATION_SECTIONS, type OrganizationSettingId, onWire } from "../../settings/organization-settings.ts";
import { SettingControl } from "../../settings/SettingControl.tsx";
import { SettingRow } from "../../settings/SettingRow.tsx";
import { SettingSearch } from "../../settings/SettingSearch.tsx";
import { changedIn, isChanged, type Setting } from "../../settings/setting.ts";
import { useReset } from "../../settings/use-reset.ts";
import { useRole } from "../../use-role.ts";
import { DeactivateOrganization } from "./DeactivateOrganization.tsx";
import { Domains } from "./Domains.tsx";
import { Pictures } from "./Pictures.tsx";

/** Every setting of the organization that is no permission. */
export function OrganizationPage() {
  const { t } = useTranslation();
  const [search] = usePageSearch();
  const [onlyChanged, setOnlyChanged] = useState(false);
  // Not the state itself: all rows would be rendered again with each event.
  const changed = useOrganization((state) =>
    onlyChanged ? changedIn(ORGANIZATION_SECTIONS, (id) => valueIn(state, id)) : "",
  );
  const { isOwner, isAdministrator } = useRole();
  const query = (search.q ?? "").trim();
  const isMeant = holdsWords(query);
  const isSearching = query !== "" || onlyChanged;

  const isShown = ({ id }: Setting<OrganizationSettingId>) =>
    isMeant(settingSearchText("organization setting", id)) && (!onlyChanged || changed.split(" ").includes(id));
  const sections = ORGANIZATION_SECTIONS.map(({ id, settings }) => ({ id, settings: settings.filter(isShown) })).filter(
    ({ settings }) => settings.length > 0,
  );

  return (
    <Page title={t("organization.title")} description={t("organization.lead")} width="narrow">
      <SettingSearch label={t("settings.search")} onlyChanged={onlyChanged} onOnlyChanged={setOnlyChanged} />
      {sections.length === 0 && <EmptyState title={t("settings.none")} />}
      {sections.map(({ id: section, settings }) => (
        <PageSection
          key={section}
          title={t(`organization.sections.${section}`)}
          {...(section === "others" && { description: t("organization.sectionHints.others") })}
        >
          {settings.map((setting) => (
            <OrganizationSetting
              key={setting.id}
              setting={setting}
              mayChange={setting.ownerOnly ? isOwner : isAdministrator}
              isTarget={search.open === setting.id}
            />
          ))}
          {section === "joining" && !isSearching && <Domains mayChange={isOwner} />}
        </PageSection>
      ))}
      {!isSearching && isAdministrator && <Pictures />}
      {!isSearching && isOwner && <DeactivateOrganization />}
    </Page>
  );
}

interface OrganizationSettingProps {
  setting: Setting<OrganizationSettingId>;
  mayChange: boolean;
  isTarget: boolean;
}

const OrganizationSetting = memo(function OrganizationSetting(props: OrganizationSettingProps) {
  const { setting, mayChange, isTarget } = props;
  const { t } = useTranslation();
  const client = useClient();
  const { id, kind, ownerOnly = false } = setting;
  const value = useOrganization((state) => valueIn(state, id));
  const name = t(`organization.${id}.label`);
  const save = useCallback(
    (next: unknown) => client.call("PATCH /realm", { [id]: onWire(setting, next) } as Input<"PATCH /realm">),
    [client, id, setting],
  );
  const reset = useReset(name, value, save);
  return (
    <SettingRow
      name={name}
      isChanged={isChanged(setting, value) && id !== "name"}
      onReset={mayChange ? () => reset(kind.initial) : undefined}
      ownersOnly={ownerOnly && !mayChange}
      isTarget={isTarget}
    >
      <SettingControl
        setting={setting}
        label={name}
        help={helpOf(id)}
        disabled={!mayChange}
        // Only choices have these texts; a test finds one that is missing.
        choiceLabel={(choice) => t(`organization.${id}.choices.${choice}` as "organization.org_type.choices.0")}
        value={value}
        save={save}
      />
    </SettingRow>
  );
});

/** Not every setting needs one. */
function helpOf(id: OrganizationSettingId): string | undefined {
  const key = `organization.${id}.help`;
  return i18next.exists(key) ? i18next.t(key as "organization.name.help") : undefined;
}

const valueIn = (state: State, id: OrganizationSettingId): unknown => state[`realm_${id}`];
