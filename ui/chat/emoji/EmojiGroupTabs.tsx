import {
  Clock,
  Flag,
  Hand,
  House,
  Leaf,
  Lightbulb,
  type LucideIcon,
  Plane,
  Shapes,
  Smile,
  Utensils,
  Volleyball,
} from "lucide-react";
import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import classes from "./EmojiPicker.module.css";
import type { EmojiSectionId } from "./EmojiSection.tsx";

const ICONS: Record<Exclude<EmojiSectionId, "found">, LucideIcon> = {
  often: Clock,
  own: House,
  smileys: Smile,
  people: Hand,
  nature: Leaf,
  food: Utensils,
  activities: Volleyball,
  travel: Plane,
  objects: Lightbulb,
  symbols: Shapes,
  flags: Flag,
};

export interface EmojiGroupTabsProps {
  sections: readonly { readonly id: EmojiSectionId }[];
  root: RefObject<HTMLElement | null>;
  /** Renders the sections that are still missing. */
  onNeedAll(): void;
}

export function EmojiGroupTabs({ sections, root, onNeedAll }: EmojiGroupTabsProps) {
  const { t } = useTranslation();
  const show = (id: EmojiSectionId) => {
    flushSync(onNeedAll);
    root.current?.querySelector(`[data-section=${id}]`)?.scrollIntoView({ block: "start" });
  };
  return (
    <div className={classes.tabs} role="toolbar" aria-label={t("chat.emoji.groups")}>
      {sections.map(({ id }) => {
        if (id === "found") return null;
        const Icon = ICONS[id];
        const title = t(`chat.emoji.sections.${id}`);
        return (
          <button key={id} type="button" onClick={() => show(id)} aria-label={title} data-tooltip={title}>
            <Icon size="1.0625rem" aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}
