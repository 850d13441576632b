import { Box, Drawer, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Hint } from "../../parts/text/Hint.tsx";
import { usePageSearch } from "../page-search.ts";

export interface DetailsDrawerProps {
  title: ReactNode;
  picture?: ReactNode;
  subtitle?: ReactNode;
  children: ReactNode;
}

/** The details of the row that the URL names with `open`. Closing it removes that name and its tab from the URL. */
export function DetailsDrawer({ title, picture, subtitle, children }: DetailsDrawerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  return (
    <Drawer.Root
      opened={search.open !== undefined}
      onClose={() => {
        if (!hasDialogAbove()) setSearch({ open: undefined, tab: undefined });
      }}
      position="right"
      size="34rem"
      styles={{
        content: { background: "var(--hearth-surface)", scrollPaddingBlock: "0.5rem" },
        // Toasts can cover the bottom: the padding makes room to scroll the content above them.
        body: { padding: "var(--mantine-spacing-lg)", paddingBlockEnd: "6rem" },
        title: { fontSize: "var(--mantine-font-size-xl)", fontWeight: "var(--hearth-bold)", lineHeight: 1.25 },
      }}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <Drawer.Body>
          <Group align="start" gap="sm" wrap="nowrap" mb="md">
            {picture}
            <Box flex={1} miw={0} style={{ alignSelf: "center", overflowWrap: "anywhere" }}>
              <Drawer.Title>{title}</Drawer.Title>
              {subtitle && <Hint>{subtitle}</Hint>}
            </Box>
            <Drawer.CloseButton aria-label={t("details.close")} />
          </Group>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** On Escape, Mantine closes everything that is open, but only the topmost dialog should close. */
const hasDialogAbove = () => document.querySelectorAll("[role=dialog][aria-modal=true]").length > 1;
