import { ActionIcon } from "@mantine/core";
import { PanelRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./PanelToggle.module.css";
import { usePanel } from "./use-panel.ts";

/** The button; Mantine gives it an id of its own. */
export const PANEL_TOGGLE = "[data-panel-toggle]";

/** Opens and closes the column beside the conversation. */
export function PanelToggle() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = usePanel();
  const label = t(isOpen ? "chatPeople.panel.hide" : "chatPeople.panel.show");
  return (
    <ActionIcon
      data-panel-toggle
      className={classes.toggle}
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => setOpen(!isOpen)}
      aria-pressed={isOpen}
      aria-label={label}
      title={label}
    >
      <PanelRight size="1.125rem" aria-hidden="true" />
    </ActionIcon>
  );
}
