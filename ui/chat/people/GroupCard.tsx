import { useTranslation } from "react-i18next";
import { textAt } from "../../locales/i18n.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { byPresence, membersOf } from "../model/people.ts";
import classes from "./GroupCard.module.css";
import { PersonRow } from "./PersonRow.tsx";

/** Who is in a user group, which is whom its mention notifies. */
export function GroupCard({ groupId, onClose }: { groupId: number; onClose(): void }) {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const now = useNow();
  const group = state.realm_user_groups?.find(({ id }) => id === groupId);
  const description =
    group && (group.is_system_group ? textAt(`systemGroups.${group.name.replace("role:", "")}`) : group.description);
  const members = byPresence(state, membersOf(state, groupId), now);
  return (
    <Dialog
      title={group ? t("chatPeople.groupTitle", { name: group.name }) : t("chatPeople.unknownGroup")}
      onClose={onClose}
    >
      {description && <p className={classes.description}>{description}</p>}
      <p className={classes.count}>{t("chatPeople.members", { count: members.length })}</p>
      <ul className={classes.list}>
        {members.map(({ person, presence }) => (
          <li key={person.user_id}>
            <PersonRow person={person} presence={presence} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
