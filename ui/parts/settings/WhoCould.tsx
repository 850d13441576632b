import { Popover, TextInput } from "@mantine/core";
import { Check, Minus, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import { wordMatcher } from "../folded.ts";
import { useOrganization } from "./organization-context.ts";
import classes from "./settings.module.css";

const MAX_SHOWN = 40;

export interface WhoCouldProps {
  /** The text of the button. */
  label: string;
  /** Completes the label for screen readers. */
  about?: string;
  /** The people with the permission, by user id. */
  people: ReadonlySet<number> | ReadonlyMap<number, unknown>;
  reasonOf: (user: WireUser, could: boolean) => string;
}

/** A button that lists the people with a permission, and finds any person with the reason for yes or no. */
export function WhoCould({ label, about, people, reasonOf }: WhoCouldProps) {
  const name = about === undefined ? label : `${label} ${about}`;
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.whoButton} aria-label={name} onClick={() => setOpened(!opened)}>
          {label}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.whoDropdown} aria-label={name}>
        <Answers label={name} people={people} reasonOf={reasonOf} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Answers({ label, people, reasonOf }: WhoCouldProps) {
  const { t } = useTranslation();
  const users = useOrganization(({ realm_users }) => realm_users);
  const [query, setQuery] = useState("");
  const sorted = useMemo(() => [...(users ?? [])].sort((a, b) => a.full_name.localeCompare(b.full_name)), [users]);
  const matches = wordMatcher(query);
  const found = sorted.filter(({ user_id, full_name }) =>
    query.trim() === "" ? people.has(user_id) : matches(full_name),
  );
  return (
    <>
      <TextInput
        size="sm"
        type="search"
        label={t("permissions.ask")}
        leftSection={<Search size="1rem" aria-hidden="true" />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        data-autofocus
        data-mantine-stop-propagation // Escape closes this list, not the drawer around it
      />
      <ul className={classes.whoList} aria-label={label}>
        {found.slice(0, MAX_SHOWN).map((user) => {
          const could = people.has(user.user_id);
          return (
            <li key={user.user_id} className={classes.whoPerson} data-could={could}>
              {could ? <Check size="1rem" aria-hidden="true" /> : <Minus size="1rem" aria-hidden="true" />}
              <span className={classes.whoWords}>
                <span>{t(could ? "permissions.yes" : "permissions.no", { name: user.full_name })}</span>
                <span className={classes.whoReason}>{reasonOf(user, could)}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className={classes.whoRest} role="status">
        {found.length === 0 && t(query.trim() === "" ? "permissions.nobodyCould" : "permissions.noSuchPerson")}
        {found.length > MAX_SHOWN && t("permissions.more", { count: found.length - MAX_SHOWN })}
      </p>
    </>
  );
}
