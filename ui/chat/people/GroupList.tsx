import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChatState, useDerived } from "../chat-context.ts";
import { membersOf } from "../model/people.ts";
import list from "../sidebar/PickList.module.css";
import { useOpenCard } from "./open-card.ts";
import classes from "./People.module.css";

/** The active user groups. Each opens its card. */
export function GroupList({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const openCard = useOpenCard();
  const isGuest = useChatState(({ is_guest }) => is_guest === true);
  const groups = useDerived((state) =>
    (state.realm_user_groups ?? [])
      .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ id, name, description }) => {
        const members = membersOf(state, id);
        const isMember = members.some(({ user_id }) => user_id === state.user_id);
        return { id, name, description, count: members.length, isMember };
      }),
  );
  return (
    <Dialog title={t("chatPeople.groups")} onClose={onClose}>
      <ul className={list.list}>
        {groups.map(({ id, name, description, count, isMember }) => (
          <li key={id}>
            <button
              type="button"
              className={classes.groupItem}
              onClick={() => {
                onClose();
                openCard({ kind: "group", groupId: id });
              }}
            >
              <bdi>{name}</bdi>
              <span className={classes.groupAbout}>
                {t("chatPeople.members", { count })}
                {isMember && ` · ${t("chatPeople.inGroup")}`}
                {description && ` · ${description}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {groups.length === 0 && <p className={list.empty}>{t("chatPeople.noGroups")}</p>}
      {!isGuest && <Anchor href="/admin/#/groups">{t("chatPeople.manageGroups")}</Anchor>}
    </Dialog>
  );
}
