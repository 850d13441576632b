import { PanelRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../parts/IconButton.tsx";
import { usePanel } from "./use-panel.ts";

/** Selects the button, whose id Mantine sets. */
export const PANEL_TOGGLE = "[data-panel-toggle]";

/** Opens and closes the panel. */
export function PanelToggle() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = usePanel();
  const label = t(isOpen ? "chatPeople.panel.hide" : "chatPeople.panel.show");
  return (
    <IconButton
      data-panel-toggle
      {...(isOpen && { bg: "var(--hearth-line)" })}
      onClick={() => setOpen(!isOpen)}
      aria-pressed={isOpen}
      label={label}
    >
      <PanelRight size="1.125rem" aria-hidden="true" />
    </IconButton>
  );
}
