import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "../../parts/text/Hint.tsx";

export interface FoldedSettingsProps {
  /** Whether the section starts open: for a search, or a link to one of its settings. */
  isOpen: boolean;
  hint: string;
  children: ReactNode;
}

/** Settings that change nothing in Hearth's own chat. */
export function FoldedSettings({ isOpen, hint, children }: FoldedSettingsProps) {
  const { t } = useTranslation();
  return (
    <Box component="details" key={String(isOpen)} open={isOpen}>
      <summary style={{ cursor: "pointer" }}>{t("settings.showOthers")}</summary>
      <Hint isLead mt="xs">
        {hint}
      </Hint>
      {children}
    </Box>
  );
}
