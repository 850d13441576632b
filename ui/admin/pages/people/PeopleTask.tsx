import { Select, Text } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ChannelPicker, GroupPicker, useChannels } from "../../../parts/pickers.tsx";
import { type Role, roleHint, roleName } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { BulkActionDialog } from "../../parts/BulkActionDialog.tsx";
import { BulletList } from "../../parts/BulletList.tsx";
import { useAnswer } from "../../use-answer.ts";
import { DeactivationEnds } from "./DeactivationEnds.tsx";
import { namesOf, type PeopleForTask, peopleForTask, type Task } from "./people-for-task.ts";
import { type Person, rolesToGive, useRights } from "./use-people.ts";

export interface PeopleTaskProps {
  task: Task;
  people: readonly Person[];
  onClose(isDone: boolean): void;
}

/** Some endpoints take several people. BulkActionDialog splits a rejected batch into single people. */
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
  const { affected, skipped } = useMemo(
    () => peopleForTask(task, people, { self, rights, role }),
    [task, people, self, rights, role],
  );
  const belongings = useBelongings(affected, task === "deactivate");
  const ends = {
    sessions: affected.reduce((sum, { signIns }) => sum + (signIns?.browsers ?? 0), 0),
    bots: belongings.bots.length,
    groups: new Set(affected.flatMap((person) => person.groups.map(({ id }) => id))).size,
    invitations: belongings.invitations.length,
  };
  /** The roles before the change, also of bots that the change demotes, by person id. */
  const formerRoles = useRef(new Map<number, { user_id: number; role: Role }[]>());
  /** The groups or channels whose members the task changed, by person id. */
  const changedIn = useRef(new Map<number, number[]>());
  /** The subscribers of the chosen channels before the task. */
  const subscribers = useRef<Promise<Map<number, Set<number>>>>(undefined);

  const idsOf = (some: readonly Person[]) => some.map(({ id }) => id);
  const namesOfChannels = (ids: readonly number[]) =>
    channels.filter(({ stream_id }) => ids.includes(stream_id)).map(({ name }) => name);
  const subscriptions = (ids: readonly number[]) => namesOfChannels(ids).map((name) => ({ name }));

  /** The server rejects adding a member again and removing a person who is not a member. */
  const changeMembers = async (some: readonly Person[], op: "add" | "delete") => {
    for (const user_group_id of chosen) {
      const members = new Set(groups?.find(({ id }) => id === user_group_id)?.members);
      // After a rejected batch, a retry for a single person can find some groups already changed.
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
  const undoMembership = async ({ id }: Person): Promise<unknown> => {
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
  const restoreRoles = async ({ id }: Person) => {
    for (const former of formerRoles.current.get(id) ?? []) await client.call("PATCH /users/{user_id}", former);
  };
  const undo = async (person: Person): Promise<unknown> => {
    if (task === "role") return restoreRoles(person);
    if (task === "deactivate") return client.call("POST /users/{user_id}/reactivate", { user_id: person.id });
    return undoMembership(person);
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

  const count = affected.length;
  const isSingle = task === "role" || task === "deactivate";
  return (
    <BulkActionDialog
      title={count > 0 ? t(`people.taskTitles.${task}`, { count }) : t(`people.tasks.${task}`)}
      submitLabel={t(`people.tasks.${task}`)}
      isDestructive={task === "deactivate"}
      items={affected}
      itemName={({ name }) => name}
      isReady={task === "deactivate" ? belongings.isCounted : task === "role" ? role !== undefined : chosen.length > 0}
      run={run}
      undo={undo}
      batchSize={isSingle ? 1 : BATCH}
      onClose={onClose}
    >
      {task === "role" && (
        <Select
          size="md"
          label={t("people.role")}
          description={role !== undefined && roleHint(role, t)}
          data={rolesToGive(rights).map((value) => ({ value: String(value), label: roleName(value, t) }))}
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
        <div>
          <Text>
            {t(task === "deactivate" ? "people.deactivateSeveral" : "people.taskFor", {
              count,
              names: namesOf(affected, t),
            })}
          </Text>
          {task === "deactivate" && (
            <DeactivationEnds ends={ends}>
              <li>{t("people.ends.scheduledOfSeveral")}</li>
            </DeactivationEnds>
          )}
          {task === "role" && role !== undefined && <RoleLosses people={affected} role={role} />}
        </div>
      )}
      {skipped.length > 0 && <Skipped skipped={skipped} />}
    </BulkActionDialog>
  );
}

/** People's bots and open invitations. `isCounted` is also true if the request failed. */
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

/** Bots and invitations that people lose with a lower role. */
function RoleLosses({ people, role }: { people: readonly Person[]; role: Role }) {
  const { t } = useTranslation();
  const { bots, invitations } = useBelongings(
    people.filter(({ user }) => user.role < role),
    true,
  );
  const higherBots = bots.filter((bot) => bot.role < role).length;
  if (higherBots === 0 && invitations.length === 0) return null;
  return (
    <BulletList>
      {higherBots > 0 && <li>{t("people.roleEnds.bots", { count: higherBots })}</li>}
      {invitations.length > 0 && <li>{t("people.roleEnds.invitations", { count: invitations.length })}</li>}
    </BulletList>
  );
}

function Skipped({ skipped }: Pick<PeopleForTask, "skipped">) {
  const { t } = useTranslation();
  return (
    <Callout tone="info">
      <Text inherit fw={560}>
        {t("people.leftOut.title")}
      </Text>
      <BulletList>
        {skipped.map(({ reason, people }) => (
          <li key={reason}>{t(`people.leftOut.${reason}`, { count: people.length, names: namesOf(people, t) })}</li>
        ))}
      </BulletList>
    </Callout>
  );
}
