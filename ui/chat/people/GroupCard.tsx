import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { textAt } from "../../locales/i18n.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useChatState, useDerived } from "../chat-context.ts";
import { byPresence, membersOf } from "../model/people.ts";
import list from "../sidebar/PickList.module.css";
import { PersonRow } from "./PersonRow.tsx";

/** A user group and its members. */
export function GroupCard({ groupId, onClose }: { groupId: number; onClose(): void }) {
  const { t } = useTranslation();
  const now = useNow();
  const group = useChatState(({ realm_user_groups }) => realm_user_groups?.find(({ id }) => id === groupId));
  const description =
    group && (group.is_system_group ? textAt(`systemGroups.${group.name.replace("role:", "")}`) : group.description);
  const members = useDerived((state) => byPresence(state, membersOf(state, groupId), now));
  return (
    <Dialog
      title={group ? t("chatPeople.groupTitle", { name: group.name }) : t("chatPeople.unknownGroup")}
      onClose={onClose}
    >
      {description && <p>{description}</p>}
      <Text size="sm" c="var(--hearth-ink-soft)">
        {t("chatPeople.members", { count: members.length })}
      </Text>
      <ul className={list.list}>
        {members.map(({ person, presence }) => (
          <li key={person.user_id}>
            <PersonRow person={person} presence={presence} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
