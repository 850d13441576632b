import { MultiSelect } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { membersInEffect } from "../../parts/settings/group-members.ts";
import classes from "../../parts/settings/PillsField.module.css";
import { useGroupNames } from "../../parts/settings/use-group-names.ts";
import { useOrganization } from "../admin-context.ts";

// Fields that pick people, channels or groups by name.

const MAX_OFFERED = 50;

export interface PickerProps {
  label: string;
  description?: string;
  /** Ids. */
  value?: readonly number[];
  onChange(ids: number[]): void;
  /** Ids that cannot be picked, such as current members. */
  exclude?: ReadonlySet<number>;
  error?: React.ReactNode;
  disabled?: boolean;
  autoFocus?: boolean;
}

interface Choice {
  readonly id: number;
  readonly name: string;
}

/** Picking it picks all its members. */
interface Collection extends Choice {
  readonly ids: () => readonly number[];
}

interface PickerChoices {
  choices: readonly Choice[];
  collections?: readonly Collection[];
}

/** Prefix of the id of a collection. */
const COLLECTION = "collection ";

function Picker(props: PickerProps & PickerChoices) {
  const { choices, collections, value = [], onChange, exclude, disabled, autoFocus, ...texts } = props;
  const { t } = useTranslation();
  const data = useMemo(() => {
    const collator = new Intl.Collator();
    const items = choices
      // A picked item that is excluded later keeps its name.
      .filter(({ id }) => !exclude?.has(id) || value.includes(id))
      .map(({ id, name }) => ({ value: String(id), label: name }))
      .sort((a, b) => collator.compare(a.label, b.label));
    if (!collections) return items;
    return [
      {
        group: t("permissions.kinds.groups"),
        items: collections.map(({ id, name }) => ({ value: `${COLLECTION}${id}`, label: name })),
      },
      { group: t("permissions.kinds.people"), items },
    ];
  }, [choices, collections, exclude, value, t]);

  const change = (picked: readonly string[]) => {
    const ids = picked.flatMap((one) => {
      if (!one.startsWith(COLLECTION)) return Number(one);
      const collection = collections?.find(({ id }) => `${COLLECTION}${id}` === one);
      const offered = new Set(choices.map(({ id }) => id));
      return collection?.ids().filter((id) => offered.has(id) && !exclude?.has(id)) ?? [];
    });
    onChange([...new Set(ids)]);
  };

  return (
    <MultiSelect
      {...texts}
      size="md"
      data={data}
      value={value.map(String)}
      onChange={change}
      classNames={{ inputField: classes.field ?? "" }}
      placeholder={collections && value.length === 0 ? t("permissions.peopleOrGroups") : ""}
      disabled={disabled ?? false}
      limit={MAX_OFFERED}
      searchable
      hidePickedOptions
      nothingFoundMessage={t("table.none")}
      // In a dialog, the open list would cover the other fields and take the first Escape.
      {...(autoFocus && { "data-autofocus": true, openOnFocus: false })}
    />
  );
}

export interface PeoplePickerProps extends PickerProps {
  bots?: boolean;
  /** Groups can be picked too, which picks their current members. */
  groups?: boolean;
}

/** Picks active people, optionally bots and groups. */
export function PeoplePicker({ bots = false, groups = false, ...props }: PeoplePickerProps) {
  const users = useOrganization(({ realm_users }) => realm_users);
  const all = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const choices = useMemo(
    () =>
      (users ?? [])
        .filter(({ is_bot }) => bots || !is_bot)
        .map(({ user_id, full_name }) => ({ id: user_id, name: full_name })),
    [users, bots],
  );
  const collections = useMemo(
    () =>
      (all ?? [])
        .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
        .map(({ id, name }) => ({ id, name, ids: () => [...membersInEffect(all ?? [], id).keys()] })),
    [all],
  );
  return <Picker {...props} choices={choices} {...(groups && { collections })} />;
}

/** All visible channels that are not archived, by name. */
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

/** Groups without known people. */
const WITHOUT_PEOPLE: readonly string[] = ["role:internet", "role:nobody"];

/** Picks active groups, optionally those of roles. */
export function GroupPicker({ roles = false, ...props }: PickerProps & { roles?: boolean }) {
  const { nameOf } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups) ?? [];
  const choices = groups
    .filter(({ name, deactivated, is_system_group }) =>
      is_system_group ? roles && !WITHOUT_PEOPLE.includes(name) : !deactivated,
    )
    .map((group) => ({ id: group.id, name: nameOf(group) }));
  return <Picker {...props} choices={choices} />;
}
