import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KeyList } from "../../parts/KeyList.tsx";
import { OpeningDialog } from "../../parts/OpeningDialog.tsx";
import { UNDO_KEYS } from "../../parts/settings/notices.tsx";
import { PALETTE_KEYS } from "./palette.ts";

const KEYS = {
  everywhere: [
    ["palette", [PALETTE_KEYS]],
    ["undo", [UNDO_KEYS]],
    ["help", ["?"]],
    ["close", ["Esc"]],
  ],
  inLists: [
    ["search", ["/"]],
    ["next", ["j", "↓"]],
    ["previous", ["k", "↑"]],
    ["first", ["Home", "End"]],
    ["open", ["e", "↵"]],
    ["select", ["x"]],
  ],
} as const;

/** The keyboard shortcuts of the window. ui/admin/parts/DataTable.tsx handles those of lists. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <OpeningDialog title={t("keys.title")} opened={opened} onClose={onClose}>
      <Stack gap="md">
        {(["everywhere", "inLists"] as const).map((where) => (
          <KeyList
            key={where}
            title={t(`keys.${where}`)}
            keys={KEYS[where].map(([what, keys]) => ({
              what: t(`keys.${what}`),
              combinations: keys.map((key) => [key]),
            }))}
          />
        ))}
      </Stack>
    </OpeningDialog>
  );
}
