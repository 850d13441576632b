import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { GroupPicker, PeoplePicker } from "../../../parts/pickers.tsx";
import { groupsThatHold, membersInEffect } from "../../../parts/settings/group-members.ts";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { peopleAndBots } from "../../../parts/settings/people-and-bots.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { useMemberRights } from "./use-groups.ts";

/** The search field finds the others. */
const MAX_SHOWN = 100;

interface Change {
  add?: number[];
  delete?: number[];
  add_subgroups?: number[];
  delete_subgroups?: number[];
}

interface ChangeWrite {
  input: Change;
  undo?: Change;
  /** The toast after success. */
  done?: string;
  onDone?: () => void;
}

/** The members of a group: people, subgroups, and everyone in effect with the path that makes them members. */
export function GroupMembers({ group, groups }: { group: WireUserGroup; groups: readonly WireUserGroup[] }) {
  const { t } = useTranslation();
  const client = useClient();
  const { nameOf, wayTo } = useGroupNames();
  const users = useOrganization(({ realm_users }) => realm_users);
  const [people, setPeople] = useState<number[]>([]);
  const [subgroups, setSubgroups] = useState<number[]>([]);
  const [query, setQuery] = useState("");
  const self = useOrganization(({ user_id }) => user_id ?? 0);
  const { mayAdd, mayRemove, mayJoin, mayLeave } = useMemberRights(group);
  const direct = useMemo(() => new Set(group.members), [group.members]);
  const excluded = useMemo(
    () => new Set([...group.direct_subgroup_ids, ...groupsThatHold(groups, group.id)]),
    [groups, group.id, group.direct_subgroup_ids],
  );

  const found = useMemo(() => {
    const ways = membersInEffect(groups, group.id);
    const matches = wordMatcher(query);
    return (users ?? [])
      .flatMap(({ user_id, full_name, avatar_url }) => {
        const way = ways.get(user_id);
        const fits = matches(full_name);
        // The path begins with this group, so leave that out.
        return way && fits ? [{ id: user_id, name: full_name, avatar_url, way: way.slice(1) }] : [];
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  }, [groups, group.id, users, query]);

  const change = (input: Change) =>
    client.call("POST /user_groups/{user_group_id}/members", { user_group_id: group.id, ...input });
  const write = useMutation({
    mutationFn: ({ input }: ChangeWrite) => change(input),
    onSuccess: (_, { done, undo, onDone }) => {
      onDone?.();
      if (done !== undefined && undo) noticeDone(done, () => change(undo));
    },
  });
  const remove = (name: string, input: Change, undo: Change) =>
    write.mutate({ input, undo, done: t("people.removedFromGroup", { name, group: group.name }) });

  return (
    <>
      {write.error && (
        <Callout tone="error" role="alert">
          {errorMessage(write.error)}
        </Callout>
      )}
      {!mayAdd && mayJoin && !direct.has(self) && (
        <section className={classes.section}>
          <div>
            <Button variant="default" onClick={() => write.mutate({ input: { add: [self] } })}>
              {t("groups.join")}
            </Button>
          </div>
        </section>
      )}
      {mayAdd && (
        <section className={classes.section}>
          <div className={classes.add}>
            <PeoplePicker bots label={t("groups.addMembers")} value={people} onChange={setPeople} exclude={direct} />
            <Button
              disabled={people.length === 0}
              onClick={() =>
                write.mutate({
                  input: { add: people },
                  undo: { delete: people },
                  done: t("channels.subscribers.added", { count: people.length }),
                  onDone: () => setPeople([]),
                })
              }
            >
              {t("people.addHere")}
            </Button>
          </div>
          <div className={classes.add}>
            <GroupPicker
              roles
              label={t("groups.addSubgroups")}
              value={subgroups}
              onChange={setSubgroups}
              exclude={excluded}
            />
            <Button
              disabled={subgroups.length === 0}
              aria-label={t("groups.addSubgroups")}
              onClick={() =>
                write.mutate({
                  input: { add_subgroups: subgroups },
                  undo: { delete_subgroups: subgroups },
                  done: t("groups.addedSubgroups", { count: subgroups.length }),
                  onDone: () => setSubgroups([]),
                })
              }
            >
              {t("people.addHere")}
            </Button>
          </div>
        </section>
      )}
      {group.direct_subgroup_ids.length > 0 && (
        <section className={classes.section}>
          <h3>{t("groups.subgroups")}</h3>
          <ul className={classes.list} aria-label={t("groups.subgroups")}>
            {groups
              .filter(({ id }) => group.direct_subgroup_ids.includes(id))
              .map((subgroup) => {
                const name = nameOf(subgroup);
                const ways = membersInEffect(groups, subgroup.id);
                return (
                  <li key={subgroup.id} className={classes.item}>
                    <span className={classes.itemName}>
                      <bdi>{name}</bdi>
                      <span className={classes.how}>
                        {peopleAndBots(
                          (users ?? []).filter(({ user_id }) => ways.has(user_id)),
                          t,
                        )}
                      </span>
                    </span>
                    {mayRemove && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="gray"
                        aria-label={t("people.removeFromGroup", { name, group: group.name })}
                        onClick={() =>
                          remove(name, { delete_subgroups: [subgroup.id] }, { add_subgroups: [subgroup.id] })
                        }
                      >
                        {t("people.remove")}
                      </Button>
                    )}
                  </li>
                );
              })}
          </ul>
        </section>
      )}
      <section className={classes.section}>
        <h3>{t("groups.inEffectTitle")}</h3>
        <TextInput
          size="sm"
          type="search"
          aria-label={t("groups.searchMembers")}
          placeholder={t("groups.searchMembers")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        {found.length === 0 && <p>{t(query ? "table.none" : "groups.noMembers")}</p>}
        <ul className={classes.list} aria-label={t("groups.inEffectTitle")}>
          {found.slice(0, MAX_SHOWN).map(({ id, name, avatar_url, way }) => (
            <li key={id} className={classes.item}>
              <span className={classes.member}>
                <img src={avatar_url} alt="" width={28} height={28} loading="lazy" />
                <span className={classes.itemName}>
                  <bdi>{name}</bdi>
                  {way.length > 0 && (
                    <span className={classes.how}>{t("permissions.through", { way: wayTo(way) })}</span>
                  )}
                </span>
              </span>
              {direct.has(id) && (mayRemove || (mayLeave && id === self)) && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t("people.removeFromGroup", { name, group: group.name })}
                  onClick={() => remove(name, { delete: [id] }, { add: [id] })}
                >
                  {t(id === self ? "groups.leave" : "people.remove")}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {found.length > MAX_SHOWN && <p>{t("permissions.more", { count: found.length - MAX_SHOWN })}</p>}
      </section>
    </>
  );
}
