import { MultiSelect } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useOrganization } from "../admin-context.ts";
import { membersInEffect } from "../model/group-members.ts";
import classes from "./PillsField.module.css";

/** More would not be read; a name narrows them down. */
const MAX_SHOWN = 30;

export interface PeoplePickerProps {
  label: string;
  description?: string;
  error?: React.ReactNode;
  /** User ids. */
  value: readonly number[];
  onChange(value: number[]): void;
  /** Those who cannot be chosen, such as who is in already. */
  exclude?: ReadonlySet<number>;
  /** Has the focus when its dialog opens. */
  isFirst?: boolean;
}

/** Several people, found by name. Choosing a group chooses everybody who is in it now. */
export function PeoplePicker({
  label,
  description,
  error,
  value,
  onChange,
  exclude,
  isFirst = false,
}: PeoplePickerProps) {
  const { t } = useTranslation();
  const users = useOrganization(({ realm_users }) => realm_users);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const data = useMemo(() => {
    const people = (users ?? [])
      .filter(({ user_id }) => !exclude?.has(user_id))
      .sort((a, b) => a.full_name.localeCompare(b.full_name))
      .map(({ user_id, full_name }) => ({ value: `person:${user_id}`, label: full_name }));
    const named = (groups ?? [])
      .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
      .map(({ id, name }) => ({ value: `group:${id}`, label: name }));
    return [
      { group: t("permissions.kinds.groups"), items: named },
      { group: t("permissions.kinds.people"), items: people },
    ];
  }, [users, groups, exclude, t]);

  const change = (options: readonly string[]) => {
    const active = new Set(users?.map(({ user_id }) => user_id));
    const ids = options.flatMap((option) => {
      const [kind, id] = option.split(":");
      if (kind === "person") return [Number(id)];
      const members = [...membersInEffect(groups ?? [], Number(id)).keys()];
      return members.filter((one) => active.has(one) && !exclude?.has(one));
    });
    onChange([...new Set(ids)]);
  };

  return (
    <MultiSelect
      label={label}
      description={description}
      error={error}
      data={data}
      value={value.map((id) => `person:${id}`)}
      onChange={change}
      classNames={{ inputField: classes.field ?? "" }}
      searchable
      data-autofocus={isFirst || undefined}
      hidePickedOptions
      limit={MAX_SHOWN}
      placeholder={value.length === 0 ? t("permissions.peopleOrGroups") : ""}
      nothingFoundMessage={t("permissions.none")}
    />
  );
}
