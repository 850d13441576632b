import { Button } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import classes from "./SectionButtons.module.css";

interface SectionButtonsProps<Section extends string> {
  sections: readonly Section[];
  shown: Section;
  /** Replaces the label in narrow windows. */
  iconOf?(section: NoInfer<Section>): LucideIcon;
  labelOf(section: NoInfer<Section>): string;
  onChoose(section: NoInfer<Section>): void;
}

/** Buttons that switch between the sections of a dialog or column. */
export function SectionButtons<Section extends string>({
  sections,
  shown,
  iconOf,
  labelOf,
  onChoose,
}: SectionButtonsProps<Section>) {
  return (
    <div className={classes.sections} data-icons={iconOf !== undefined}>
      {sections.map((section) => {
        const Icon = iconOf?.(section);
        return (
          <Button
            key={section}
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-pressed={section === shown}
            data-tooltip={Icon && labelOf(section)}
            onClick={() => onChoose(section)}
          >
            {Icon && <Icon className={classes.icon} size="1rem" aria-hidden="true" />}
            <span className={classes.label}>{labelOf(section)}</span>
          </Button>
        );
      })}
    </div>
  );
}
