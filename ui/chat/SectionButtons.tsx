import { Button } from "@mantine/core";
import classes from "./SectionButtons.module.css";

interface SectionButtonsProps<Section extends string> {
  sections: readonly Section[];
  shown: Section;
  labelOf(section: NoInfer<Section>): string;
  onChoose(section: NoInfer<Section>): void;
}

/** The parts of a dialog or a column, of which one is shown. */
export function SectionButtons<Section extends string>({
  sections,
  shown,
  labelOf,
  onChoose,
}: SectionButtonsProps<Section>) {
  return (
    <div className={classes.sections}>
      {sections.map((section) => (
        <Button
          key={section}
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-pressed={section === shown}
          onClick={() => onChoose(section)}
        >
          {labelOf(section)}
        </Button>
      ))}
    </div>
  );
}
