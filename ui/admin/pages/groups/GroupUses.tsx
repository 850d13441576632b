import { useTranslation } from "react-i18next";
import type { Objection } from "../../../../server/api/presenters/user-groups.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CHANNEL_PERMISSIONS, type ChannelPermission } from "../../../parts/channels/channel-permissions.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { PERMISSION_SECTIONS, type PermissionId } from "../../settings/permission-settings.ts";
import { GROUP_PERMISSIONS, type GroupPermission } from "./group-permissions.ts";

const PERMISSIONS: readonly string[] = PERMISSION_SECTIONS.flatMap(({ permissions }) => permissions);

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
            {PERMISSIONS.includes(setting) ? t(`organizationPermissions.who.${setting as PermissionId}`) : setting}
          </PageLink>
        </li>
      ));
    case "channel": {
      const { channel_id: id, settings } = objection;
      const channel = channels.find(({ stream_id }) => stream_id === id);
      if (!channel) return <li>{t("groups.usedInHiddenChannels")}</li>;
      const labels = settings.map((name) =>
        (CHANNEL_PERMISSIONS as readonly string[]).includes(name)
          ? t(`channels.permissions.${name as ChannelPermission}.label`)
          : name,
      );
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
      const labels = objection.settings.map((name) =>
        (GROUP_PERMISSIONS as readonly string[]).includes(name) ? t(`groups.${name as GroupPermission}`) : name,
      );
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
