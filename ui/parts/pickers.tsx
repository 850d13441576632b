import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WireUser } from "../../server/api/presenters/users.ts";
import type { Channel } from "../api/state-shape.ts";
import { type PickerOption, PillsPicker, type PillsPickerProps } from "./PillsPicker.tsx";
import { membersInEffect } from "./settings/group-members.ts";
import { useOrganization } from "./settings/organization-context.ts";
import { useGroupNames } from "./settings/use-group-names.ts";

/** Options in the list. A longer query finds the others. */
const MAX_OFFERED = 50;

export interface PickerProps
  extends Pick<
    PillsPickerProps,
    "label" | "description" | "error" | "disabled" | "isInline" | "autoFocus" | "onEnter"
  > {
  /** Ids. */
  value?: readonly number[];
  onChange(ids: number[]): void;
  /** Ids that cannot be picked, such as those of current members. */
  exclude?: ReadonlySet<number>;
}

interface Choice extends Omit<PickerOption, "value"> {
  readonly id: number;
}

/** Adds all its ids. */
interface Collection extends Choice {
  readonly ids: () => readonly number[];
}

interface PickerChoices {
  choices: readonly Choice[];
  collections?: readonly Collection[];
}

const optionOf = ({ id, ...shown }: Choice): PickerOption => ({ ...shown, value: String(id) });
/** Distinguishes a collection's id from the ids of choices. */
const COLLECTION = "collection ";

function Picker({ choices, collections, value = [], onChange, exclude, ...field }: PickerProps & PickerChoices) {
  const { t } = useTranslation();
  const sorted = useMemo(() => {
    const collator = new Intl.Collator();
    return [...choices].sort((a, b) => collator.compare(a.name, b.name));
  }, [choices]);
  const isOffered = ({ id }: Choice) => !exclude?.has(id) && !value.includes(id);

  const add = (picked: string) => {
    const collection = collections?.find(({ id }) => `${COLLECTION}${id}` === picked);
    if (!collection) return onChange([...value, Number(picked)]);
    const ids = new Set(collection.ids());
    onChange([...value, ...choices.filter((choice) => ids.has(choice.id) && isOffered(choice)).map(({ id }) => id)]);
  };

  return (
    <PillsPicker
      {...field}
      placeholder={collections && value.length === 0 ? t("permissions.peopleOrGroups") : ""}
      chosen={value.flatMap((id) => {
        const choice = choices.find((one) => one.id === id);
        return choice ? optionOf(choice) : [];
      })}
      optionsFor={(isMatch) => {
        const options = sorted.filter((choice) => isOffered(choice) && isMatch(choice.name)).slice(0, MAX_OFFERED);
        if (!collections) return [{ options: options.map(optionOf) }];
        const groups = collections.filter(({ name }) => isMatch(name));
        return [
          {
            label: t("permissions.kinds.groups"),
            options: groups.map(({ id, name }) => ({ value: `${COLLECTION}${id}`, name })),
          },
          { label: t("permissions.kinds.people"), options: options.map(optionOf) },
        ];
      }}
      onAdd={add}
      onRemove={(removed) => onChange(value.filter((id) => String(id) !== removed))}
    />
  );
}

export interface PeoplePickerProps extends PickerProps {
  bots?: boolean;
  /** Offers groups too. A group adds its current members. */
  groups?: boolean;
  /** Shown after a person's name, such as their presence. */
  markOf?(user: WireUser): ReactNode;
}

/** Picks active people. */
export function PeoplePicker({ bots = false, groups = false, markOf, ...props }: PeoplePickerProps) {
  const users = useOrganization(({ realm_users }) => realm_users);
  const all = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const choices = useMemo(
    () =>
      (users ?? [])
        .filter(({ is_bot }) => bots || !is_bot)
        .map((user) => ({
          id: user.user_id,
          name: user.full_name,
          icon: <Picture url={user.avatar_url} />,
          mark: markOf?.(user),
        })),
    [users, bots, markOf],
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

function Picture({ url }: { url: string }) {
  return (
    <img src={url} alt="" width={20} height={20} loading="lazy" style={{ borderRadius: "var(--mantine-radius-xs)" }} />
  );
}

/** All active channels that the viewer can see, by name. */
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

/** Groups that cannot have members. */
const WITHOUT_PEOPLE: readonly string[] = ["role:internet", "role:nobody"];

/** Picks active groups; with `roles`, system groups too. */
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
