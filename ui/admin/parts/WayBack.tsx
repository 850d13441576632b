import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { LastUpdate } from "../../../main/bridge-types.ts";

/** Explains how to revert to the previous version while it is kept. */
export function WayBack({ last: { from, to, kept, backup } }: { last: LastUpdate }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" fz="sm">
      <Text inherit>{t("wayBack.lead", { from, to })}</Text>
      <Stack component="ol" gap="xxs" m={0} ps="lg">
        <li>{t("wayBack.quit", { to })}</li>
        <li>
          {t("wayBack.start", { from })} <Path>{kept}</Path>
        </li>
        <li>
          {backup === null ? t("wayBack.empty") : t("wayBack.restore")} {backup !== null && <Path>{backup}</Path>}
        </li>
      </Stack>
    </Stack>
  );
}

/** A click selects all of it. */
const Path = ({ children }: { children: string | null }) => (
  <code style={{ overflowWrap: "anywhere", userSelect: "all" }}>{children}</code>
);
