import { NativeSelect, Switch } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { locale } from "../../locales/i18n.ts";
import { ChannelPicker, GroupPicker, useChannels } from "../../parts/pickers.tsx";
import { GUEST, type Role, roleName } from "../../parts/settings/roles.ts";
import { useOrganization } from "../admin-context.ts";

/** The role, channels and groups of a new person. */
export interface Grants {
  invite_as: Role;
  /** Whether they join the default channels; guests never do. */
  defaults: boolean;
  stream_ids: number[];
  group_ids: number[];
}

export interface GrantFieldsProps {
  value: Grants;
  onChange(changed: Partial<Grants>): void;
  roles: readonly Role[];
  /** Explains the chosen role. */
  roleHint: string;
  errors?: Partial<Record<keyof Grants, ReactNode>>;
  /** Whether the first field takes the focus in a dialog. */
  isFirst?: boolean;
}

export const getsDefaults = ({ defaults, invite_as }: Pick<Grants, "defaults" | "invite_as">): boolean =>
  defaults && invite_as !== GUEST;

export function GrantFields({ value, onChange, roles, roleHint, errors = {}, isFirst }: GrantFieldsProps) {
  const { t } = useTranslation();
  const defaultIds = useOrganization(({ realm_default_streams }) => realm_default_streams);
  const channels = useChannels();
  const hasGroups = useOrganization(({ realm_user_groups = [] }) =>
    realm_user_groups.some(({ is_system_group, deactivated }) => !is_system_group && !deactivated),
  );
  const defaults = useMemo(() => new Set(defaultIds), [defaultIds]);
  const defaultNames = useMemo(() => {
    const names = channels.filter(({ stream_id }) => defaults.has(stream_id)).map(({ name }) => name);
    return new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
  }, [channels, defaults]);
  const areGranted = getsDefaults(value) && defaultNames !== "";
  return (
    <>
      <NativeSelect
        size="md"
        label={t("invitations.role")}
        description={roleHint}
        data={roles.map((role) => ({ value: String(role), label: roleName(role, t) }))}
        value={String(value.invite_as)}
        error={errors.invite_as}
        data-autofocus={isFirst || undefined}
        onChange={(event) => onChange({ invite_as: Number(event.currentTarget.value) as Role })}
      />
      {value.invite_as !== GUEST && defaultNames !== "" && (
        <Switch
          label={t("invite.defaults")}
          description={defaultNames}
          checked={value.defaults}
          onChange={(event) => onChange({ defaults: event.currentTarget.checked })}
        />
      )}
      <ChannelPicker
        label={t(areGranted ? "invitations.moreChannels" : "invitations.channels")}
        description={t("invitations.channelsHint")}
        {...(areGranted && { exclude: defaults })}
        value={value.stream_ids}
        error={errors.stream_ids}
        onChange={(stream_ids) => onChange({ stream_ids })}
      />
      {hasGroups && (
        <GroupPicker
          label={t("invite.groups")}
          value={value.group_ids}
          error={errors.group_ids}
          onChange={(group_ids) => onChange({ group_ids })}
        />
      )}
    </>
  );
}
