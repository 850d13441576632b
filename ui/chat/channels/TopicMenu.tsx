import { useTranslation } from "react-i18next";
import { TOPIC_ACTIONS, type TopicThing } from "../actions/topic.ts";
import { ActionItems, ActionsMenu } from "../parts/ActionsMenu.tsx";

export interface TopicMenuProps extends TopicThing {
  size?: "sm" | "lg";
  className?: string | undefined;
}

export function TopicMenu({ size = "lg", className, ...thing }: TopicMenuProps) {
  const { t } = useTranslation();
  const name = thing.topic === "" ? t("chat.generalTopic") : thing.topic;
  return (
    <ActionsMenu label={t("topics.menu", { topic: name })} size={size} className={className}>
      <ActionItems actions={TOPIC_ACTIONS} thing={thing} />
    </ActionsMenu>
  );
}
