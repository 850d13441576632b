import { ActionIcon } from "@mantine/core";
import { PanelRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePanel } from "./use-panel.ts";

/** Selects the button, whose id Mantine sets. */
export const PANEL_TOGGLE = "[data-panel-toggle]";

/** Opens and closes the panel. */
export function PanelToggle() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = usePanel();
  const label = t(isOpen ? "chatPeople.panel.hide" : "chatPeople.panel.show");
  return (
    <ActionIcon
      data-panel-toggle
      variant="subtle"
      color="gray"
      {...(isOpen && { bg: "var(--hearth-line)" })}
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
