import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Sidebar } from "./Sidebar.tsx";

/** The navigation where there is no room for it beside the page. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened={opened} onClose={onClose} size="18rem">
      <Drawer.Overlay />
      <Drawer.Content aria-label={t("shell.menu")}>
        <Drawer.Body p={0}>
          <Sidebar />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
