import { useTranslation } from "react-i18next";
import type { Objection } from "../../../../server/api/presenters/user-groups.ts";
import { textAt } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";

/** Where a group is used, which is why it cannot be deactivated: each place is a link. */
export function GroupUses({ objections }: { objections: readonly Objection[] }) {
  const { t } = useTranslation();
  return (
    <Callout tone="warning" role="alert">
      {t("groups.inUse")}
      <ul>
        {objections.map((objection) => (
          <Use key={JSON.stringify(objection)} objection={objection} />
        ))}
      </ul>
    </Callout>
  );
}

function Use({ objection }: { objection: Objection }) {
  const { t } = useTranslation();
  const { nameOf } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups) ?? [];
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const groupName = (id: number) => {
    const group = groups.find((one) => one.id === id);
    return group ? nameOf(group) : String(id);
  };
  switch (objection.type) {
    case "realm":
      return objection.settings.map((setting) => (
        <li key={setting}>
          <PageLink to="/permissions" search={{ open: setting }}>
            {textAt(`organizationPermissions.who.${setting}.label`) ?? setting}
          </PageLink>
        </li>
      ));
    case "channel": {
      const { channel_id: id, settings } = objection;
      const channel = channels.find(({ stream_id }) => stream_id === id);
      if (!channel) return <li>{t("groups.usedInHiddenChannels")}</li>;
      const labels = settings.map((name) => textAt(`channels.permissions.${name}.label`) ?? name);
      return (
        <li>
          <PageLink to="/channels" search={{ open: String(id), tab: "permissions" }}>
            {t("groups.usedInChannel", { name: channel.name })}
          </PageLink>{" "}
          {labels.join(", ")}
        </li>
      );
    }
    case "user_group": {
      const labels = objection.settings.map((name) => textAt(`groups.${name}`) ?? name);
      return (
        <li>
          <PageLink to="/groups" search={{ open: String(objection.group_id), tab: "settings" }}>
            {t("groups.usedInGroup", { name: groupName(objection.group_id) })}
          </PageLink>{" "}
          {labels.join(", ")}
        </li>
      );
    }
    case "subgroup":
      return objection.supergroup_ids.map((id) => (
        <li key={id}>
          <PageLink to="/groups" search={{ open: String(id) }}>
            {t("groups.usedAsSubgroup", { name: groupName(id) })}
          </PageLink>
        </li>
      ));
  }
}
