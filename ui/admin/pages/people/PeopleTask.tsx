import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { type Role, roleName } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { ChannelPicker, GroupPicker, useChannels } from "../../parts/pickers.tsx";
import { SeveralDialog } from "../../parts/SeveralDialog.tsx";
import { type Person, rolesToGive, useRights } from "./use-people.ts";

/** What can be done with several people at once. */
export const TASKS = ["role", "addToGroups", "removeFromGroups", "subscribe", "unsubscribe", "deactivate"] as const;
export type Task = (typeof TASKS)[number];

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
  const [role, setRole] = useState<Role>();
  const [chosen, setChosen] = useState<number[]>([]);

  const idsOf = (some: readonly Person[]) => some.map(({ id }) => id);
  const subscriptions = () =>
    channels.filter(({ stream_id }) => chosen.includes(stream_id)).map(({ name }) => ({ name }));

  /** Only who is not yet in the group can be put in, and only who is in it taken out. */
  const changeMembers = async (some: readonly Person[], op: "add" | "delete") => {
    for (const user_group_id of chosen) {
      const members = new Set(groups?.find(({ id }) => id === user_group_id)?.members);
      const ids = idsOf(some).filter((id) => members.has(id) === (op === "delete"));
      if (ids.length > 0) await client.call("POST /user_groups/{user_group_id}/members", { user_group_id, [op]: ids });
    }
  };

  const run = async (some: readonly Person[]): Promise<unknown> => {
    const [person] = some as [Person];
    switch (task) {
      case "role":
        return client.call("PATCH /users/{user_id}", { user_id: person.id, role: role as Role });
      case "addToGroups":
        return changeMembers(some, "add");
      case "removeFromGroups":
        return changeMembers(some, "delete");
      case "subscribe":
        return client.call("POST /users/me/subscriptions", { subscriptions: subscriptions(), principals: idsOf(some) });
      case "unsubscribe":
        return client.call("DELETE /users/me/subscriptions", {
          subscriptions: subscriptions().map(({ name }) => name),
          principals: idsOf(some),
        });
      case "deactivate":
        return client.call("DELETE /users/{user_id}", { user_id: person.id });
    }
  };

  const count = people.length;
  const isByOne = task === "role" || task === "deactivate";
  return (
    <SeveralDialog
      title={t(`people.taskTitles.${task}`, { count })}
      submitLabel={t(`people.tasks.${task}`)}
      isDestructive={task === "deactivate"}
      items={people}
      itemName={({ name }) => name}
      isReady={task === "deactivate" || (task === "role" ? role !== undefined : chosen.length > 0)}
      run={run}
      batchSize={isByOne ? 1 : BATCH}
      onClose={onClose}
    >
      {task === "role" && (
        <Select
          size="md"
          label={t("people.role")}
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
      {task === "deactivate" && <p>{t("people.deactivateSeveral", { count })}</p>}
    </SeveralDialog>
  );
}
