import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Answer } from "../../../api/client.ts";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { exactTime } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin } from "../../admin-context.ts";
import { newSince } from "../../parts/new-since.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { useAnswer } from "../../use-answer.ts";
import { MoveDialog } from "./MoveDialog.tsx";

type OldFolder = NonNullable<Answer<"GET /host/old-folder">["old"]>;

/** Where the data is, how to move it, and the folder that it was moved from. */
export function FolderSection({ folder }: { folder: string }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const queries = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  const { data } = useAnswer("GET /host/old-folder", {}, { isOfHost: true, isAlwaysStale: true });
  const refetch = () => void queries.invalidateQueries();
  return (
    <PageSection
      title={t("data.place.title")}
      description={t(desktop ? "data.place.lead" : "data.place.leadElsewhere")}
    >
      <Group justify="space-between" gap="0.5rem 1.5rem">
        <Path>{folder}</Path>
        {desktop && (
          <Group gap="xs">
            <Button variant="subtle" size="sm" onClick={() => void desktop.showDataFolder()}>
              {t("data.showFolder")}
            </Button>
            <Button variant="default" size="sm" onClick={() => setMoving(true)}>
              {t("data.place.move")}
            </Button>
          </Group>
        )}
      </Group>
      {!desktop && <CopyableCode>{moveCommand(folder)}</CopyableCode>}
      {data?.old && <OldFolderPart old={data.old} desktop={desktop} onChange={refetch} />}
      {isMoving && desktop && <MoveDialog desktop={desktop} onMoved={refetch} onClose={() => setMoving(false)} />}
    </PageSection>
  );
}

const Path = ({ children }: { children: string }) => (
  <Text inherit span dir="ltr" flex="1 1 16rem" miw={0} style={{ overflowWrap: "anywhere" }}>
    {children}
  </Text>
);

interface OldFolderPartProps {
  old: OldFolder;
  desktop: Desktop | undefined;
  onChange(): void;
}

function OldFolderPart({ old, desktop, onChange }: OldFolderPartProps) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<"back" | "remove">();
  const losses = () => {
    if (old.is_unchanged) return t("data.old.unchanged");
    const came = newSince(old);
    return came === undefined ? t("data.old.littleLost") : t("data.old.lost", { came });
  };
  return (
    <Stack gap="xs" pt="md" style={{ borderBlockStart: "1px solid var(--hearth-line)" }}>
      <Title order={3} size="md">
        {t("data.old.title")}
      </Title>
      <Path>{old.folder}</Path>
      <Hint>
        {t("data.old.lead", { time: exactTime(old.moved_at) })} {losses()}
      </Hint>
      {desktop && (
        <Group gap="xs">
          <Button variant="default" size="sm" onClick={() => setDialog("back")}>
            {t("data.old.back")}
          </Button>
          <Button variant="subtle" color="gray" size="sm" onClick={() => setDialog("remove")}>
            {t("data.old.remove")}
          </Button>
        </Group>
      )}
      {desktop && dialog === "back" && (
        <ConfirmDialog
          title={t("data.old.backTitle")}
          confirmLabel={t("data.old.backConfirm")}
          onConfirm={async () => {
            await desktop.goBackToOldFolder();
            onChange();
            noticeDone(t("data.old.wentBack"));
          }}
          onClose={() => setDialog(undefined)}
        >
          {losses()} {t("data.old.backText")}
        </ConfirmDialog>
      )}
      {desktop && dialog === "remove" && (
        <ConfirmDialog
          title={t("data.old.removeTitle")}
          confirmLabel={t("data.old.removeConfirm")}
          onConfirm={async () => {
            await desktop.removeOldFolder();
            onChange();
            noticeDone(t("data.old.removed"));
          }}
          onClose={() => setDialog(undefined)}
        >
          {t("data.old.removeText", { folder: old.folder })}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

const moveCommand = (folder: string): string => `npm run --silent hearth -- move --data "${folder}" --to DIR`;
