import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BACK_CLOSES, BackCloses } from "../../parts/back-closes.ts";
import { Sidebar } from "./Sidebar.tsx";

export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened={opened} onClose={onClose} closeOnEscape={!BACK_CLOSES} size="18rem">
      {opened && <BackCloses onClose={onClose} />}
      <Drawer.Overlay />
      <Drawer.Content aria-label={t("shell.menu")}>
        <Drawer.Body p={0}>
          <Sidebar />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
