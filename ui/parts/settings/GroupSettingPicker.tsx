import { Combobox, Pill, PillsInput, useCombobox } from "@mantine/core";
import { User, Users } from "lucide-react";
import { useCallback, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../server/api/presenters/user-groups.ts";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import { locale } from "../../locales/i18n.ts";
import { wordMatcher } from "../folded.ts";
import classes from "./GroupSettingPicker.module.css";
import { type GroupSetting as GroupSettingValue, membersInEffect, namedIn } from "./group-members.ts";
import { useOrganization } from "./organization-context.ts";
import pillsClasses from "./PillsField.module.css";
import { peopleAndBots } from "./people-and-bots.ts";
import { GUEST } from "./roles.ts";
import type { SettingProps } from "./settings.tsx";
import { byRole, useGroupNames } from "./use-group-names.ts";
import { NO_USERS, useOfUsers } from "./use-of-users.ts";
import { useSaved } from "./use-saved.ts";
import { WhoCould } from "./WhoCould.tsx";

export type { GroupSettingValue };

/** Which setting it is, since each takes other roles: a key of /register's `server_supported_permission_settings`. */
export interface Permission {
  of: "realm" | "stream" | "group";
  name: string;
}

export interface GroupSettingProps extends SettingProps<GroupSettingValue> {
  permission: Permission;
}

/**
 * A group setting that is saved when it is changed. `save` gets the new value and the one that it replaces: what the
 * server takes as `{new, old}`.
 */
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

/** More would not be read; a name narrows them down. */
const MAX_PEOPLE_SHOWN = 20;
/** So few are named one by one; more are counted. */
const MAX_NAMED = 4;
const NOBODY = "role:nobody";
const NO_GROUPS: readonly WireUserGroup[] = [];

/** What the field says of a person. */
type Named = Pick<WireUser, "user_id" | "full_name">;

const isSomebody = ({ name }: WireUserGroup) => name !== NOBODY;

/** The form field of a group setting: roles, groups and people in one searchable field, and who that is in effect. */
export function GroupSettingPicker(props: GroupSettingPickerProps) {
  const { label, help, error, disabled = false, isSaving = false, permission, value, onChange } = props;
  const { t } = useTranslation();
  const { nameOf, wayTo } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups: list }) => list ?? NO_GROUPS);
  const supported = useOrganization((state) => state.server_supported_permission_settings?.[permission.of]);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [query, setQuery] = useState("");
  const optionsId = useId();
  const isOpen = combobox.dropdownOpened;
  // A closed field shows those whom it names, and is not rendered again when somebody else is renamed.
  const users = useOrganization(({ realm_users: list }) => (isOpen && list) || NO_USERS);

  const takes = supported?.[permission.name];
  const onlyRoles = takes?.require_system_group === true;
  const mayBeNobody = takes?.allow_nobody_group !== false;
  const mayBeGuests = permission.of === "stream" || takes?.allow_everyone_group !== false;

  const chosenPeople = useOfUsers(
    useCallback(
      (all: readonly WireUser[]): Named[] => {
        const { people } = namedIn(value);
        if (people.length === 0) return [];
        // The server takes no deactivated person, and drops their permissions with the account.
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

  const guests = useOfUsers(
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
    setQuery("");
    const person = kind === "person" && users.find(({ user_id }) => user_id === id);
    if (person) return setChosen(chosen.groups, [...chosen.people, person]);
    const group = groups.find((one) => one.id === id);
    if (!group) return;
    if (group.name === NOBODY) return setChosen([], []);
    // Each role includes those above it: two of them are the same as the wider one, so the new one replaces the other.
    const others = group.is_system_group ? chosen.groups.filter((one) => !one.is_system_group) : chosen.groups;
    setChosen([...others, group], chosen.people);
  };

  const fits = wordMatcher(query);
  const isAllowed = ({ name }: WireUserGroup) => {
    if (name === NOBODY) return mayBeNobody && count > 0;
    if (name === "role:everyone") return takes?.allow_everyone_group !== false;
    return name !== "role:internet" && (!onlyRoles || takes.allowed_system_groups.includes(name as never));
  };
  const selectable = groups.filter(
    (group) => !group.deactivated && !chosen.groups.includes(group) && isAllowed(group) && fits(nameOf(group)),
  );
  const roles = selectable.filter(({ is_system_group }) => is_system_group).sort(byRole);
  const ownGroups = onlyRoles ? [] : selectable.filter(({ is_system_group }) => !is_system_group);
  const chosenIds = new Set(chosen.people.map(({ user_id }) => user_id));
  const selectablePeople =
    onlyRoles || !isOpen
      ? []
      : users.filter(({ user_id, full_name }) => !chosenIds.has(user_id) && fits(full_name)).slice(0, MAX_PEOPLE_SHOWN);
  const isRemovable = !disabled && !onlyRoles && (mayBeNobody || count > 1);

  const toAdd = disabled ? "" : t(onlyRoles ? "permissions.choose" : "permissions.add");
  const placeholder = count === 0 ? t("permissions.roles.nobody") : toAdd;

  return (
    <div className={classes.setting}>
      <Combobox store={combobox} onOptionSubmit={add} disabled={disabled}>
        <Combobox.DropdownTarget>
          <PillsInput
            label={label}
            description={help}
            error={error}
            disabled={disabled}
            size="md"
            aria-busy={isSaving}
            onClick={() => combobox.openDropdown()}
          >
            <Pill.Group>
              {chosen.groups.map((group) => (
                <ChosenPill
                  key={`group:${group.id}`}
                  name={nameOf(group)}
                  isGroup
                  isRemovable={isRemovable}
                  onRemove={() =>
                    setChosen(
                      chosen.groups.filter((one) => one !== group),
                      chosen.people,
                    )
                  }
                />
              ))}
              {chosen.people.map((person) => (
                <ChosenPill
                  key={`person:${person.user_id}`}
                  name={person.full_name}
                  isRemovable={isRemovable}
                  onRemove={() =>
                    setChosen(
                      chosen.groups,
                      chosen.people.filter((one) => one !== person),
                    )
                  }
                />
              ))}
              <Combobox.EventsTarget>
                <PillsInput.Field
                  className={pillsClasses.field}
                  placeholder={placeholder}
                  value={query}
                  onFocus={() => combobox.openDropdown()}
                  onBlur={() => {
                    combobox.closeDropdown();
                    setQuery("");
                  }}
                  onChange={(event) => {
                    setQuery(event.currentTarget.value);
                    combobox.openDropdown();
                    combobox.updateSelectedOptionIndex();
                  }}
                  onKeyDown={(event) => {
                    if (event.key !== "Backspace" || query !== "" || !isRemovable || count === 0) return;
                    event.preventDefault();
                    if (chosen.people.length > 0) setChosen(chosen.groups, chosen.people.slice(0, -1));
                    else setChosen(chosen.groups.slice(0, -1), []);
                  }}
                />
              </Combobox.EventsTarget>
            </Pill.Group>
          </PillsInput>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown>
          <Combobox.Options id={optionsId} aria-label={label} className={classes.options}>
            <OptionGroup label={t("permissions.kinds.roles")}>
              {roles.map((group) => (
                <Combobox.Option key={group.id} value={`group:${group.id}`}>
                  {nameOf(group)}
                </Combobox.Option>
              ))}
            </OptionGroup>
            <OptionGroup label={t("permissions.kinds.groups")}>
              {ownGroups.map((group) => (
                <Combobox.Option key={group.id} value={`group:${group.id}`}>
                  {group.name}
                </Combobox.Option>
              ))}
            </OptionGroup>
            <OptionGroup label={t("permissions.kinds.people")}>
              {selectablePeople.map((person) => (
                <Combobox.Option key={person.user_id} value={`person:${person.user_id}`}>
                  {person.full_name}
                </Combobox.Option>
              ))}
            </OptionGroup>
            {roles.length + ownGroups.length + selectablePeople.length === 0 && (
              <Combobox.Empty>{t("permissions.none")}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <p className={classes.effect}>
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

function OptionGroup({ label, children }: { label: string; children: React.ReactNode[] }) {
  return children.length > 0 && <Combobox.Group label={label}>{children}</Combobox.Group>;
}

interface ChosenPillProps {
  name: string;
  isGroup?: boolean;
  isRemovable: boolean;
  onRemove(): void;
}

function ChosenPill({ name, isGroup = false, isRemovable, onRemove }: ChosenPillProps) {
  const { t } = useTranslation();
  const Icon = isGroup ? Users : User;
  return (
    <Pill
      size="md"
      classNames={{ root: classes.chosen ?? "", remove: classes.remove ?? "" }}
      withRemoveButton={isRemovable}
      onRemove={onRemove}
      removeButtonProps={{ "aria-label": t("permissions.remove", { name }), tabIndex: 0, "aria-hidden": false }}
    >
      <span className={classes.pill}>
        <Icon size="0.875rem" aria-hidden="true" />
        {name}
      </span>
    </Pill>
  );
}

/** Who that is, in words: few by name, more as numbers. */
function InEffect({ members }: { members: ReadonlyMap<number, unknown> }) {
  const { t } = useTranslation();
  return useOfUsers(
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
