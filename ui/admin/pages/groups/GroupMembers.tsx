import { Button, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireUserGroup } from "../../../../server/api/presenters/user-groups.ts";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { holdsWords } from "../../../parts/folded.ts";
import { GroupPicker, PeoplePicker } from "../../../parts/pickers.tsx";
import { groupsThatHold, membersInEffect } from "../../../parts/settings/group-members.ts";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { peopleAndBots } from "../../../parts/settings/people-and-bots.ts";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { useMemberRights } from "./use-groups.ts";

/** More would not be read; a name narrows them down. */
const MAX_SHOWN = 100;

/** Who is in a group: people, other groups, and everybody in effect with the way in which they are. */
export function GroupMembers({ group, groups }: { group: WireUserGroup; groups: readonly WireUserGroup[] }) {
  const { t } = useTranslation();
  const client = useClient();
  const { nameOf, wayTo } = useGroupNames();
  const users = useOrganization(({ realm_users }) => realm_users);
  const [people, setPeople] = useState<number[]>([]);
  const [subgroups, setSubgroups] = useState<number[]>([]);
  const [query, setQuery] = useState("");
  const [error, setError] = useState<string>();
  const self = useOrganization(({ user_id }) => user_id ?? 0);
  const { mayAdd, mayRemove, mayJoin, mayLeave } = useMemberRights(group);
  const direct = useMemo(() => new Set(group.members), [group.members]);
  const excluded = useMemo(
    () => new Set([...group.direct_subgroup_ids, ...groupsThatHold(groups, group.id)]),
    [groups, group.id, group.direct_subgroup_ids],
  );

  const found = useMemo(() => {
    const ways = membersInEffect(groups, group.id);
    const isMeant = holdsWords(query);
    return (users ?? [])
      .flatMap(({ user_id, full_name, avatar_url }) => {
        const way = ways.get(user_id);
        const fits = isMeant(full_name);
        // The way begins with the group itself, which the reader knows.
        return way && fits ? [{ id: user_id, name: full_name, avatar_url, way: way.slice(1) }] : [];
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  }, [groups, group.id, users, query]);

  type Change = { add?: number[]; delete?: number[]; add_subgroups?: number[]; delete_subgroups?: number[] };
  const change = (input: Change) =>
    client.call("POST /user_groups/{user_group_id}/members", { user_group_id: group.id, ...input });
  const attempt = async (input: Change, done: () => void) => {
    setError(undefined);
    try {
      await change(input);
      done();
    } catch (refused) {
      setError(errorMessage(refused));
    }
  };

  return (
    <>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      {!mayAdd && mayJoin && !direct.has(self) && (
        <section className={classes.section}>
          <div>
            <Button variant="default" onClick={() => attempt({ add: [self] }, () => {})}>
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
                attempt({ add: people }, () => {
                  setPeople([]);
                  noticeDone(t("channels.subscribers.added", { count: people.length }), () =>
                    change({ delete: people }),
                  );
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
                attempt({ add_subgroups: subgroups }, () => {
                  setSubgroups([]);
                  noticeDone(t("groups.addedSubgroups", { count: subgroups.length }), () =>
                    change({ delete_subgroups: subgroups }),
                  );
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
                          attempt({ delete_subgroups: [subgroup.id] }, () =>
                            noticeDone(t("people.removedFromGroup", { name, group: group.name }), () =>
                              change({ add_subgroups: [subgroup.id] }),
                            ),
                          )
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
                  onClick={() =>
                    attempt({ delete: [id] }, () =>
                      noticeDone(t("people.removedFromGroup", { name, group: group.name }), () =>
                        change({ add: [id] }),
                      ),
                    )
                  }
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
