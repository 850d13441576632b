import { Select } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ChannelPicker, GroupPicker, useChannels } from "../../../parts/pickers.tsx";
import { type Role, roleHint, roleName } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { SeveralDialog } from "../../parts/SeveralDialog.tsx";
import { useAnswer } from "../../use-answer.ts";
import { DeactivationEnds } from "./DeactivationEnds.tsx";
import classes from "./PeopleTask.module.css";
import { namesOf, type PeopleForTask, peopleForTask, type Task } from "./people-for-task.ts";
import { type Person, rolesToGive, useRights } from "./use-people.ts";

export interface PeopleTaskProps {
  task: Task;
  people: readonly Person[];
  onClose(isDone: boolean): void;
}

/** One call takes many people where the protocol lets it; a refused batch is tried person by person. */
const BATCH = 100;

export function PeopleTask({ task, people, onClose }: PeopleTaskProps) {
  const { t } = useTranslation();
  const client = useClient();
  const rights = useRights();
  const channels = useChannels();
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const self = useOrganization(({ user_id }) => user_id);
  const active = useOrganization(({ realm_users }) => realm_users);
  const deactivated = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const [role, setRole] = useState<Role>();
  const [chosen, setChosen] = useState<number[]>([]);
  const { meant, leftOut } = useMemo(
    () => peopleForTask(task, people, { self, rights, role }),
    [task, people, self, rights, role],
  );
  const belongings = useBelongings(meant, task === "deactivate");
  const ends = {
    sessions: meant.reduce((sum, { signIns }) => sum + (signIns?.browsers ?? 0), 0),
    bots: belongings.bots.length,
    groups: new Set(meant.flatMap((person) => person.groups.map(({ id }) => id))).size,
    invitations: belongings.invitations.length,
  };
  /** The roles before the change, of people and of the bots that get a lower role with them, by person. */
  const formerRoles = useRef(new Map<number, { user_id: number; role: Role }[]>());
  /** Of which chosen groups or channels the task made somebody a member, or no member any more, by person. */
  const changedIn = useRef(new Map<number, number[]>());
  /** Who was in the chosen channels before. */
  const subscribers = useRef<Promise<Map<number, Set<number>>>>(undefined);

  const idsOf = (some: readonly Person[]) => some.map(({ id }) => id);
  const namesOfChannels = (ids: readonly number[]) =>
    channels.filter(({ stream_id }) => ids.includes(stream_id)).map(({ name }) => name);
  const subscriptions = (ids: readonly number[]) => namesOfChannels(ids).map((name) => ({ name }));

  /** Only who is not yet in the group can be put in, and only who is in it taken out. */
  const changeMembers = async (some: readonly Person[], op: "add" | "delete") => {
    for (const user_group_id of chosen) {
      const members = new Set(groups?.find(({ id }) => id === user_group_id)?.members);
      // Where a group refused several at once, each is tried alone, and may be in another group already.
      const isDone = (id: number) => changedIn.current.get(id)?.includes(user_group_id) === true;
      const ids = idsOf(some).filter((id) => members.has(id) === (op === "delete") && !isDone(id));
      if (ids.length === 0) continue;
      await client.call("POST /user_groups/{user_group_id}/members", { user_group_id, [op]: ids });
      noteChange(ids, user_group_id);
    }
  };
  const changeSubscriptions = async (some: readonly Person[], op: "subscribe" | "unsubscribe") => {
    subscribers.current ??= membersOf(chosen);
    const before = await subscribers.current;
    const principals = idsOf(some);
    if (op === "subscribe")
      await client.call("POST /users/me/subscriptions", { subscriptions: subscriptions(chosen), principals });
    else await client.call("DELETE /users/me/subscriptions", { subscriptions: namesOfChannels(chosen), principals });
    for (const [id, members] of before)
      noteChange(
        principals.filter((person) => members.has(person) === (op === "unsubscribe")),
        id,
      );
  };
  const membersOf = async (stream_ids: readonly number[]) => {
    const answers = await Promise.all(
      stream_ids.map((stream_id) => client.call("GET /streams/{stream_id}/members", { stream_id })),
    );
    return new Map(answers.map(({ subscribers: ids }, at) => [stream_ids[at] as number, new Set(ids)]));
  };
  const noteChange = (people: readonly number[], id: number) => {
    for (const person of people) changedIn.current.set(person, [...(changedIn.current.get(person) ?? []), id]);
  };
  const takeBack = async ({ id }: Person): Promise<unknown> => {
    const ids = changedIn.current.get(id) ?? [];
    if (ids.length === 0) return;
    switch (task) {
      case "subscribe":
        return client.call("DELETE /users/me/subscriptions", { subscriptions: namesOfChannels(ids), principals: [id] });
      case "unsubscribe":
        return client.call("POST /users/me/subscriptions", { subscriptions: subscriptions(ids), principals: [id] });
      default:
        for (const user_group_id of ids)
          await client.call("POST /user_groups/{user_group_id}/members", {
            user_group_id,
            [task === "addToGroups" ? "delete" : "add"]: [id],
          });
    }
  };

  const changeRole = (person: Person, to: Role) => {
    const bots = [...(active ?? []), ...(deactivated ?? [])].filter(
      (user) => user.bot_owner_id === person.id && user.role < to,
    );
    const before = [person.user, ...bots].map(({ user_id, role }) => ({ user_id, role: role as Role }));
    formerRoles.current.set(person.id, before);
    return client.call("PATCH /users/{user_id}", { user_id: person.id, role: to });
  };
  const giveFormerRoles = async ({ id }: Person) => {
    for (const former of formerRoles.current.get(id) ?? []) await client.call("PATCH /users/{user_id}", former);
  };
  const undo = async (person: Person): Promise<unknown> => {
    if (task === "role") return giveFormerRoles(person);
    if (task === "deactivate") return client.call("POST /users/{user_id}/reactivate", { user_id: person.id });
    return takeBack(person);
  };

  const run = async (some: readonly Person[]): Promise<unknown> => {
    const [person] = some as [Person];
    switch (task) {
      case "role":
        return changeRole(person, role as Role);
      case "addToGroups":
        return changeMembers(some, "add");
      case "removeFromGroups":
        return changeMembers(some, "delete");
      case "subscribe":
      case "unsubscribe":
        return changeSubscriptions(some, task);
      case "deactivate":
        return client.call("DELETE /users/{user_id}", { user_id: person.id });
    }
  };

  const count = meant.length;
  const isByOne = task === "role" || task === "deactivate";
  return (
    <SeveralDialog
      title={count > 0 ? t(`people.taskTitles.${task}`, { count }) : t(`people.tasks.${task}`)}
      submitLabel={t(`people.tasks.${task}`)}
      isDestructive={task === "deactivate"}
      items={meant}
      itemName={({ name }) => name}
      isReady={task === "deactivate" ? belongings.isCounted : task === "role" ? role !== undefined : chosen.length > 0}
      run={run}
      undo={undo}
      batchSize={isByOne ? 1 : BATCH}
      onClose={onClose}
    >
      {task === "role" && (
        <Select
          size="md"
          label={t("people.role")}
          description={role !== undefined && roleHint(role, t)}
          data={rolesToGive(rights).map((one) => ({ value: String(one), label: roleName(one, t) }))}
          value={role === undefined ? null : String(role)}
          onChange={(picked) => setRole(picked === null ? undefined : (Number(picked) as Role))}
          data-autofocus
        />
      )}
      {(task === "addToGroups" || task === "removeFromGroups") && (
        <GroupPicker label={t("people.groups")} value={chosen} onChange={setChosen} autoFocus />
      )}
      {(task === "subscribe" || task === "unsubscribe") && (
        <ChannelPicker label={t("people.channels")} value={chosen} onChange={setChosen} autoFocus />
      )}
      {count > 0 && (
        <div className={classes.about}>
          <p>
            {t(task === "deactivate" ? "people.deactivateSeveral" : "people.taskFor", {
              count,
              names: namesOf(meant, t),
            })}
          </p>
          {task === "deactivate" && (
            <DeactivationEnds ends={ends}>
              <li>{t("people.ends.scheduledOfSeveral")}</li>
            </DeactivationEnds>
          )}
          {task === "role" && role !== undefined && <RoleLosses people={meant} role={role} />}
        </div>
      )}
      {leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
    </SeveralDialog>
  );
}

/** Their bots, and their invitations that can still be used. `isCounted`: once that is known, or cannot be. */
function useBelongings(people: readonly Person[], isEnabled: boolean) {
  const users = useOrganization(({ realm_users }) => realm_users);
  const { data, isLoading } = useAnswer("GET /invites", {}, { changedBy: ["invites_changed"], isEnabled });
  const ids = new Set(people.map(({ id }) => id));
  return {
    bots: (users ?? []).filter(({ bot_owner_id }) => bot_owner_id != null && ids.has(bot_owner_id)),
    invitations: (data?.invites ?? []).filter(({ invited_by_user_id }) => ids.has(invited_by_user_id)),
    isCounted: !isLoading,
  };
}

/** What a lower role takes from people beside what the role itself says. */
function RoleLosses({ people, role }: { people: readonly Person[]; role: Role }) {
  const { t } = useTranslation();
  const { bots, invitations } = useBelongings(
    people.filter(({ user }) => user.role < role),
    true,
  );
  const higherBots = bots.filter((bot) => bot.role < role).length;
  if (higherBots === 0 && invitations.length === 0) return null;
  return (
    <ul className={classes.list}>
      {higherBots > 0 && <li>{t("people.roleEnds.bots", { count: higherBots })}</li>}
      {invitations.length > 0 && <li>{t("people.roleEnds.invitations", { count: invitations.length })}</li>}
    </ul>
  );
}

/** Who was chosen and stays as they are, and why. */
function LeftOut({ leftOut }: Pick<PeopleForTask, "leftOut">) {
  const { t } = useTranslation();
  return (
    <Callout tone="info">
      <p className={classes.title}>{t("people.leftOut.title")}</p>
      <ul className={classes.list}>
        {leftOut.map(({ reason, people }) => (
          <li key={reason}>{t(`people.leftOut.${reason}`, { count: people.length, names: namesOf(people, t) })}</li>
        ))}
      </ul>
    </Callout>
  );
}
