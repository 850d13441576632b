import { User, Users } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import { locale } from "../../locales/i18n.ts";
import { type PickerOption, PillsPicker } from "../PillsPicker.tsx";
import { type GroupSetting as GroupSettingValue, membersInEffect, namedIn } from "./group-members.ts";
import { useOrganization } from "./organization-context.ts";
import { peopleAndBots } from "./people-and-bots.ts";
import { GUEST } from "./roles.ts";
import classes from "./settings.module.css";
import type { SettingProps } from "./settings.tsx";
import { NO_USERS, useFromUsers } from "./use-from-users.ts";
import { byRole, useGroupNames } from "./use-group-names.ts";
import { useSaved } from "./use-saved.ts";
import { WhoCould } from "./WhoCould.tsx";

export type { GroupSettingValue };

/** A key of /register's `server_supported_permission_settings`, which lists the roles that the setting takes. */
export interface Permission {
  of: "realm" | "stream" | "group";
  name: string;
}

export interface GroupSettingProps extends SettingProps<GroupSettingValue> {
  permission: Permission;
}

/** A group setting that is saved when it changes. */
export function GroupSetting({ label, help, disabled, permission, ...options }: GroupSettingProps) {
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  return (
    <GroupSettingPicker
      label={label}
      help={help}
      disabled={disabled ?? false}
      permission={permission}
      value={shown}
      error={error}
      isSaving={isSaving}
      onChange={change}
    />
  );
}

export interface GroupSettingPickerProps {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  disabled?: boolean;
  isSaving?: boolean;
  permission: Permission;
  value: GroupSettingValue;
  onChange(value: GroupSettingValue): void;
}

const MAX_PEOPLE_SHOWN = 20;
/** More people are counted, not named. */
const MAX_NAMED = 4;
const NOBODY = "role:nobody";
const NO_GROUPS: readonly WireUserGroup[] = [];

type Named = Pick<WireUser, "user_id" | "full_name">;

const personOption = ({ user_id, full_name }: Named): PickerOption => ({ value: `person:${user_id}`, name: full_name });
const isSomebody = ({ name }: WireUserGroup) => name !== NOBODY;

/** A field for roles, groups and people, and a summary of the people whom they include. */
export function GroupSettingPicker(props: GroupSettingPickerProps) {
  const { label, help, error, disabled = false, isSaving = false, permission, value, onChange } = props;
  const { t } = useTranslation();
  const { nameOf, wayTo } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups: list }) => list ?? NO_GROUPS);
  const supported = useOrganization((state) => state.server_supported_permission_settings?.[permission.of]);
  const [isOpen, setOpen] = useState(false);
  // A closed field does not render again when a person that it does not show is renamed.
  const users = useOrganization(({ realm_users: list }) => (isOpen && list) || NO_USERS);

  const takes = supported?.[permission.name];
  const onlyRoles = takes?.require_system_group === true;
  const mayBeNobody = takes?.allow_nobody_group !== false;
  const mayBeGuests = permission.of === "stream" || takes?.allow_everyone_group !== false;

  const chosenPeople = useFromUsers(
    useCallback(
      (all: readonly WireUser[]): Named[] => {
        const { people } = namedIn(value);
        if (people.length === 0) return [];
        const found = new Map(all.map(({ user_id, full_name }) => [user_id, { user_id, full_name }]));
        return people.flatMap((id): Named | Named[] => found.get(id) ?? []);
      },
      [value],
    ),
  );
  const chosen = useMemo(
    () => ({
      groups: namedIn(value)
        .groups.flatMap((id) => groups.find((group) => group.id === id) ?? [])
        .filter(isSomebody),
      people: chosenPeople,
    }),
    [value, groups, chosenPeople],
  );
  const count = chosen.groups.length + chosen.people.length;

  const guests = useFromUsers(
    useCallback(
      (all: readonly WireUser[]) =>
        mayBeGuests ? [] : all.filter(({ role }) => role === GUEST).map(({ user_id }) => user_id),
      [mayBeGuests],
    ),
  );
  const members = useMemo(() => {
    const ways = membersInEffect(groups, value);
    if (mayBeGuests) return ways;
    const left = new Set(guests);
    return new Map([...ways].filter(([id]) => !left.has(id)));
  }, [groups, guests, value, mayBeGuests]);

  const setChosen = (nextGroups: readonly WireUserGroup[], nextPeople: readonly Named[]) => {
    const direct_subgroups = nextGroups.map(({ id }) => id);
    const direct_members = nextPeople.map(({ user_id }) => user_id);
    const [only] = direct_subgroups;
    const nobody = groups.find(({ name }) => name === NOBODY);
    if (only === undefined && direct_members.length === 0 && nobody) onChange(nobody.id);
    else if (only !== undefined && direct_subgroups.length === 1 && direct_members.length === 0) onChange(only);
    else onChange({ direct_members, direct_subgroups });
  };

  const add = (option: string) => {
    const [kind, text] = option.split(":");
    const id = Number(text);
    const person = kind === "person" && users.find(({ user_id }) => user_id === id);
    if (person) return setChosen(chosen.groups, [...chosen.people, person]);
    const group = groups.find((one) => one.id === id);
    if (!group) return;
    if (group.name === NOBODY) return setChosen([], []);
    // A role includes the roles above it, so a second role would add nothing: the new one replaces it.
    const others = group.is_system_group ? chosen.groups.filter((one) => !one.is_system_group) : chosen.groups;
    setChosen([...others, group], chosen.people);
  };

  const remove = (option: string) =>
    setChosen(
      chosen.groups.filter((group) => groupOption(group).value !== option),
      chosen.people.filter((person) => personOption(person).value !== option),
    );
  const groupOption = (group: WireUserGroup): PickerOption => ({ value: `group:${group.id}`, name: nameOf(group) });
  const isAllowed = ({ name }: WireUserGroup) => {
    if (name === NOBODY) return mayBeNobody && count > 0;
    if (name === "role:everyone") return takes?.allow_everyone_group !== false;
    return name !== "role:internet" && (!onlyRoles || takes.allowed_system_groups.includes(name as never));
  };
  const optionsFor = (isMatch: (name: string) => boolean) => {
    const offered = groups.filter(
      (group) => !group.deactivated && !chosen.groups.includes(group) && isAllowed(group) && isMatch(nameOf(group)),
    );
    const roles = offered.filter(({ is_system_group }) => is_system_group).sort(byRole);
    if (onlyRoles) return [{ label: t("permissions.kinds.roles"), options: roles.map(groupOption) }];
    const chosenIds = new Set(chosen.people.map(({ user_id }) => user_id));
    const people = users.filter(({ user_id, full_name }) => !chosenIds.has(user_id) && isMatch(full_name));
    return [
      { label: t("permissions.kinds.roles"), options: roles.map(groupOption) },
      {
        label: t("permissions.kinds.groups"),
        options: offered.filter(({ is_system_group }) => !is_system_group).map(groupOption),
      },
      { label: t("permissions.kinds.people"), options: people.slice(0, MAX_PEOPLE_SHOWN).map(personOption) },
    ];
  };
  const isRemovable = !disabled && !onlyRoles && (mayBeNobody || count > 1);
  const toAdd = disabled ? "" : t(onlyRoles ? "permissions.choose" : "permissions.add");

  return (
    <div className={classes.groupSetting}>
      <PillsPicker
        label={label}
        description={help}
        error={error}
        disabled={disabled}
        isSaving={isSaving}
        placeholder={count === 0 ? t("permissions.roles.nobody") : toAdd}
        chosen={[
          ...chosen.groups.map((group) => ({
            ...groupOption(group),
            icon: <Users size="0.875rem" aria-hidden="true" />,
          })),
          ...chosen.people.map((person) => ({
            ...personOption(person),
            icon: <User size="0.875rem" aria-hidden="true" />,
          })),
        ]}
        isRemovable={isRemovable}
        optionsFor={optionsFor}
        onOpenChange={setOpen}
        onAdd={add}
        onRemove={remove}
      />
      <p className={classes.groupEffect}>
        <InEffect members={members} />{" "}
        {members.size > 0 && (
          <WhoCould
            label={t("permissions.who")}
            about={label}
            people={members}
            reasonOf={({ user_id, role }, could) => {
              const way = members.get(user_id);
              if (!could) return t(role === GUEST && !mayBeGuests ? "permissions.notGuests" : "permissions.notNamed");
              return way && way.length > 0 ? t("permissions.through", { way: wayTo(way) }) : t("permissions.directly");
            }}
          />
        )}
      </p>
    </div>
  );
}

function InEffect({ members }: { members: ReadonlyMap<number, unknown> }) {
  const { t } = useTranslation();
  return useFromUsers(
    useCallback(
      (users: readonly WireUser[]) => {
        const covered = users.filter(({ user_id }) => members.has(user_id));
        if (covered.length === 0) return t("permissions.inEffectNobody");
        if (covered.length > MAX_NAMED) return t("permissions.inEffect", { who: peopleAndBots(covered, t) });
        const list = new Intl.ListFormat(locale(), { type: "conjunction" });
        return t("permissions.inEffect", { who: list.format(covered.map(({ full_name }) => full_name)) });
      },
      [members, t],
    ),
  );
}
