import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChatState } from "../chat-context.ts";
import { membersOf } from "../model/people.ts";
import list from "../sidebar/PickList.module.css";
import classes from "./GroupList.module.css";
import { useOpenCard } from "./open-card.ts";

/** The user groups that can be mentioned; each opens its card. */
export function GroupList({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const openCard = useOpenCard();
  const state = useChatState((value) => value);
  const groups = (state.realm_user_groups ?? [])
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={t("chatPeople.groups")} onClose={onClose}>
      <ul className={list.list}>
        {groups.map(({ id, name, description }) => {
          const members = membersOf(state, id);
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.group}
                onClick={() => {
                  onClose();
                  openCard({ kind: "group", groupId: id });
                }}
              >
                <bdi>{name}</bdi>
                <span className={classes.about}>
                  {t("chatPeople.members", { count: members.length })}
                  {members.some(({ user_id }) => user_id === state.user_id) && ` · ${t("chatPeople.inGroup")}`}
                  {description && ` · ${description}`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {groups.length === 0 && <p className={list.empty}>{t("chatPeople.noGroups")}</p>}
      {state.is_guest !== true && <Anchor href="/admin/#/groups">{t("chatPeople.manageGroups")}</Anchor>}
    </Dialog>
  );
}
