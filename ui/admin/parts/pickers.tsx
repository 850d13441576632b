import { MultiSelect } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { useOrganization } from "../admin-context.ts";
import { useGroupNames } from "./use-group-names.ts";

/* Fields in which people, channels or groups are picked by a few letters of their names. */

/** More would not be read; a longer query narrows them down. */
const MAX_OFFERED = 50;

export interface PickerProps {
  label: string;
  description?: string;
  /** Ids. */
  value?: readonly number[];
  onChange(ids: number[]): void;
  /** Ids that are not offered. */
  without?: ReadonlySet<number>;
  error?: React.ReactNode;
  disabled?: boolean;
  autoFocus?: boolean;
}

interface Choice {
  readonly id: number;
  readonly name: string;
}

function Picker({
  choices,
  value = [],
  onChange,
  without,
  disabled,
  autoFocus,
  ...texts
}: PickerProps & { choices: Choice[] }) {
  const { t } = useTranslation();
  const data = useMemo(() => {
    const collator = new Intl.Collator();
    return choices
      .filter(({ id }) => !without?.has(id))
      .map(({ id, name }) => ({ value: String(id), label: name }))
      .sort((a, b) => collator.compare(a.label, b.label));
  }, [choices, without]);
  return (
    <MultiSelect
      {...texts}
      size="md"
      data={data}
      value={value.map(String)}
      onChange={(picked) => onChange(picked.map(Number))}
      disabled={disabled ?? false}
      limit={MAX_OFFERED}
      searchable
      hidePickedOptions
      nothingFoundMessage={t("table.none")}
      {...(autoFocus && { "data-autofocus": true })}
    />
  );
}

/** Active people; bots only where they are asked for. */
export function PeoplePicker({ bots = false, ...props }: PickerProps & { bots?: boolean }) {
  const users = useOrganization(({ realm_users }) => realm_users);
  const choices = useMemo(
    () =>
      (users ?? [])
        .filter(({ is_bot }) => bots || !is_bot)
        .map(({ user_id, full_name }) => ({ id: user_id, name: full_name })),
    [users, bots],
  );
  return <Picker {...props} choices={choices} />;
}

/** All channels that the viewer sees and that are not archived, by name. */
export function useChannels(): Channel[] {
  const subscribed = useOrganization(({ subscriptions }) => subscriptions);
  const unsubscribed = useOrganization((state) => state.unsubscribed);
  const never = useOrganization(({ never_subscribed }) => never_subscribed);
  return useMemo(() => {
    const collator = new Intl.Collator();
    return [...(subscribed ?? []), ...(unsubscribed ?? []), ...(never ?? [])]
      .filter(({ is_archived }) => !is_archived)
      .sort((a, b) => collator.compare(a.name, b.name));
  }, [subscribed, unsubscribed, never]);
}

export function ChannelPicker(props: PickerProps) {
  const channels = useChannels();
  const choices = useMemo(() => channels.map(({ stream_id, name }) => ({ id: stream_id, name })), [channels]);
  return <Picker {...props} choices={choices} />;
}

/** Groups in use; those of roles only where they are asked for. */
export function GroupPicker({ roles = false, ...props }: PickerProps & { roles?: boolean }) {
  const { nameOf } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups) ?? [];
  const choices = groups
    .filter(({ deactivated, is_system_group }) => !deactivated && (roles || !is_system_group))
    .map((group) => ({ id: group.id, name: nameOf(group) }));
  return <Picker {...props} choices={choices} />;
}
