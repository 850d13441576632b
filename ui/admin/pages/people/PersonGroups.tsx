import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { GroupPicker } from "../../../parts/pickers.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { useOrganization } from "../../admin-context.ts";
import { groupsOfPerson } from "../../model/groups-of-person.ts";
import classes from "../../parts/details.module.css";
import { PageLink } from "../../parts/PageLink.tsx";
import { inWords } from "./in-words.ts";
import type { Person } from "./use-people.ts";

/** The groups that a person is in, and why: directly, or through which others. */
export function PersonGroups({ person: { id: userId, name, user } }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const { wayTo } = useGroupNames();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const [chosen, setChosen] = useState<number[]>([]);
  const memberships = useMemo(() => {
    const ways = groupsOfPerson(groups ?? [], userId);
    return (groups ?? [])
      .flatMap((group) => {
        const way = ways.get(group.id);
        return way && !group.is_system_group && !group.deactivated ? [{ group, way }] : [];
      })
      .sort((a, b) => a.group.name.localeCompare(b.group.name));
  }, [groups, userId]);
  const direct = useMemo(
    () => new Set(memberships.filter(({ way }) => way.length === 0).map(({ group }) => group.id)),
    [memberships],
  );

  const change = (user_group_id: number, op: "add" | "delete") =>
    client.call("POST /user_groups/{user_group_id}/members", { user_group_id, [op]: [userId] });
  const add = async () => {
    const added: number[] = [];
    try {
      for (const id of chosen) {
        await change(id, "add");
        added.push(id);
      }
    } catch (error) {
      noticeError(error);
    }
    setChosen(chosen.filter((id) => !added.includes(id)));
    if (added.length === 0) return;
    const list = inWords((groups ?? []).filter(({ id }) => added.includes(id)));
    noticeDone(t("people.nowIn", { name, list }), async () => {
      for (const id of added) await change(id, "delete");
    });
  };
  const remove = async (id: number, group: string) => {
    try {
      await change(id, "delete");
      noticeDone(t("people.removedFromGroup", { name, group }), () => change(id, "add"));
    } catch (error) {
      noticeError(error);
    }
  };

  return (
    <>
      {user.is_active && (
        <div className={classes.add}>
          <GroupPicker label={t("people.addToGroups")} value={chosen} onChange={setChosen} exclude={direct} />
          <Button disabled={chosen.length === 0} onClick={add}>
            {t("people.addHere")}
          </Button>
        </div>
      )}
      {memberships.length === 0 && <p className={classes.empty}>{t("people.noGroups", { name })}</p>}
      <ul className={classes.list} aria-label={t("people.groups")}>
        {memberships.map(({ group, way }) => (
          <li key={group.id} className={classes.item}>
            <span className={classes.itemName}>
              <PageLink to="/groups" search={{ open: String(group.id) }}>
                <bdi>{group.name}</bdi>
              </PageLink>
              {way.length > 0 && <span className={classes.how}>{t("permissions.through", { way: wayTo(way) })}</span>}
            </span>
            {way.length === 0 && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-label={t("people.removeFromGroup", { name, group: group.name })}
                onClick={() => remove(group.id, group.name)}
              >
                {t("people.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
