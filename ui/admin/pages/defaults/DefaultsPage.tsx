import { useTranslation } from "react-i18next";
import { useOrganization } from "../../admin-context.ts";
import { Page } from "../../parts/Page.tsx";
import { DefaultChannels } from "./DefaultChannels.tsx";
import { DefaultGroups } from "./DefaultGroups.tsx";
import { NewMemberSettings } from "./NewMemberSettings.tsx";

/** The channels and settings that new members get. */
export function DefaultsPage() {
  const { t } = useTranslation();
  const mayChange = useOrganization(({ is_admin }) => is_admin === true);
  return (
    <Page title={t("nav.defaults")} description={t("newMembers.description")} width="narrow">
      <DefaultChannels mayChange={mayChange} />
      <DefaultGroups mayChange={mayChange} />
      <NewMemberSettings mayChange={mayChange} />
    </Page>
  );
}
