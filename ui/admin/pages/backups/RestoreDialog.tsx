import { Checkbox, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, Client } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin } from "../../admin-context.ts";
import { FolderProgress } from "../../parts/FolderProgress.tsx";
import { newSince } from "../../parts/new-since.ts";
import { useFolderWork } from "../../use-folder-work.ts";
import { BackupSummary } from "./BackupSummary.tsx";

type Preview = Answer<"POST /host/backups/{name}/restore/preview">;
type Outcome = NonNullable<Answer<"GET /host/backups">["restored"]>;

const POLL_MS = 1000;
const WIDTH = "36rem";

export interface RestoreDialogProps {
  /** The name of the backup's file. */
  name: string;
  /** When the previous restore ended. */
  lastAt: number | undefined;
  /** Called when the server runs again with the restored data. */
  onRestored(): void;
  onClose(): void;
}

/** Shows what a restore brings and loses, then runs it until the server responds again. */
export function RestoreDialog({ name, lastAt, onRestored, onClose }: RestoreDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [endAllKeys, setEndAllKeys] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const [isRestoring, setRestoring] = useState(false);
  const { desktop } = useAdmin();
  const work = useFolderWork(desktop, isRestoring);

  const { data: preview, error } = useQuery({
    queryKey: ["POST /host/backups/{name}/restore/preview", name],
    queryFn: ({ signal }) => client.call("POST /host/backups/{name}/restore/preview", { name }, signal),
    // The confirmation shows what has been lost since the backup, so each dialog counts it once.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

  if (!preview)
    return (
      <Dialog title={t("backups.restoring.title")} size={WIDTH} onClose={onClose}>
        {error ? (
          <Callout tone="error" role="alert">
            {errorMessage(error)}
          </Callout>
        ) : (
          <div role="status">
            <Waiting>{t("restore.looking")}</Waiting>
          </div>
        )}
      </Dialog>
    );

  const needsPassphrase = preview.needs_passphrase && !endAllKeys;
  const restore = async () => {
    setRestoring(true);
    try {
      const keys = needsPassphrase ? { passphrase } : { end_all_keys: endAllKeys };
      await client.call("POST /host/backups/{name}/restore", { name, ...keys });
      const { failure } = await restoreResult(client, lastAt);
      if (failure !== null) throw new Error(t("backups.restoring.failed", { why: problemInWords(failure) }));
      onRestored();
    } finally {
      setRestoring(false);
    }
  };
  return (
    <ConfirmDialog
      title={t("backups.restoring.title")}
      confirmLabel={t("backups.restoring.confirm")}
      typedName={preview.today.organization}
      size={WIDTH}
      onConfirm={restore}
      onClose={onClose}
    >
      <Stack gap="md">
        <BackupSummary backup={preview} />
        <Callout tone="warning">
          <Losses preview={preview} />
        </Callout>
        <Keys preview={preview} />
        <Checkbox
          label={t("backups.restoring.endKeys")}
          description={t("backups.restoring.endKeysHelp")}
          checked={endAllKeys}
          disabled={isRestoring}
          onChange={(event) => setEndAllKeys(event.currentTarget.checked)}
        />
        {needsPassphrase && (
          <TextInput
            type="password"
            label={t("backups.passphraseField")}
            description={t("backups.restoring.passphraseHelp")}
            autoComplete="off"
            value={passphrase}
            disabled={isRestoring}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
        )}
        {isRestoring && <Waiting>{t("backups.restoring.running")}</Waiting>}
        {work && <FolderProgress work={work} />}
        <LiveRegion>{isRestoring ? t("backups.restoring.running") : undefined}</LiveRegion>
      </Stack>
    </ConfirmDialog>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm">
      <Loader size="sm" /> {children}
    </Group>
  );
}

function Losses({ preview: { today, organization } }: { preview: Preview }) {
  const { t } = useTranslation();
  const lost = () => {
    if (today.is_other_organization) return t("backups.restoring.other", { today: today.organization, organization });
    const came = newSince(today);
    return came === undefined ? t("backups.restoring.littleLost") : t("backups.restoring.lost", { came });
  };
  return (
    <>
      <Text>{lost()}</Text>
      <Text mt="xs">{t("backups.restoring.network")}</Text>
      <Text mt="xs">{t("backups.restoring.aside")}</Text>
    </>
  );
}

function Keys({ preview: { today, needs_passphrase } }: { preview: Preview }) {
  const { t } = useTranslation();
  if (today.key_rotations > 0)
    return (
      <Text>
        {t("backups.restoring.rotated", { count: today.key_rotations })} {t("backups.restoring.rotatedHelp")}
      </Text>
    );
  if (needs_passphrase || today.is_other_organization) return null;
  return <Hint>{t("backups.restoring.keysStay")}</Hint>;
}

/** Polls, without a limit, until the restored server responds. */
async function restoreResult(client: Client, lastAt = 0): Promise<Outcome> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const response = await client.call("GET /host/backups", {}).catch(() => undefined); // It is restarting.
    if (response?.restored && response.restored.at > lastAt) return response.restored;
  }
}
