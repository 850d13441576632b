import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { GroupPicker } from "../../../parts/pickers.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useGroupNames } from "../../../parts/settings/use-group-names.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { groupsOfPerson } from "../../model/groups-of-person.ts";
import classes from "../../parts/details.module.css";
import { PageLink } from "../../parts/PageLink.tsx";
import { useWrite } from "../../use-write.ts";
import { listOf } from "./people-for-task.ts";
import type { Person } from "./use-people.ts";

/** A person's groups, with the path of subgroups if they are not a direct member. */
export function PersonGroups({ person: { id: userId, name, user } }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
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
  const add = useMutation({
    // Some groups can reject the person after others have accepted them.
    mutationFn: async (ids: readonly number[]) => {
      const added: number[] = [];
      try {
        for (const id of ids) {
          await change(id, "add");
          added.push(id);
        }
      } catch (error) {
        noticeError(error);
      }
      return added;
    },
    onSuccess: (added, ids) => {
      setChosen(ids.filter((id) => !added.includes(id)));
      if (added.length === 0) return;
      const list = listOf((groups ?? []).filter(({ id }) => added.includes(id)).map((group) => group.name));
      noticeDone(t("people.nowIn", { name, list }), async () => {
        for (const id of added) await change(id, "delete");
      });
    },
  });
  const remove = (id: number, group: string) =>
    write({
      run: () => change(id, "delete"),
      done: t("people.removedFromGroup", { name, group }),
      undo: () => change(id, "add"),
    });

  return (
    <>
      {user.is_active && (
        <div className={classes.add}>
          <GroupPicker label={t("people.addToGroups")} value={chosen} onChange={setChosen} exclude={direct} />
          <Button disabled={chosen.length === 0} onClick={() => add.mutate(chosen)}>
            {t("people.addHere")}
          </Button>
        </div>
      )}
      {memberships.length === 0 && <Hint mt="md">{t("people.noGroups", { name })}</Hint>}
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
