import { Checkbox, Loader, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, Client } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage, inWords } from "../../../parts/error-messages.ts";
import { LiveRegion } from "../../../parts/LiveRegion.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { useAdmin } from "../../admin-context.ts";
import { FolderProgress } from "../../parts/FolderProgress.tsx";
import { newSince } from "../../parts/new-since.ts";
import { useFolderWork } from "../../use-folder-work.ts";
import { BackupSummary } from "./BackupSummary.tsx";
import classes from "./RestoreDialog.module.css";

type Preview = Answer<"POST /host/backups/{name}/restore/preview">;
type Outcome = NonNullable<Answer<"GET /host/backups">["restored"]>;

const ASK_MS = 1000;
const WIDTH = "36rem";

export interface RestoreDialogProps {
  /** Of the backup's file. */
  name: string;
  /** When the restore before this one ended, if there was one. */
  lastAt: number | undefined;
  /** Called when the server runs again with the backup. */
  onRestored(): void;
  onClose(): void;
}

/** What a backup holds and what its restore takes away; then the restore, until the server answers again. */
export function RestoreDialog({ name, lastAt, onRestored, onClose }: RestoreDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [found, setFound] = useState<Preview>();
  const [error, setError] = useState<string>();
  const [endAllKeys, setEndAllKeys] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const [isRestoring, setRestoring] = useState(false);
  const { desktop } = useAdmin();
  const work = useFolderWork(desktop, isRestoring);

  useEffect(() => {
    const controller = new AbortController();
    client
      .call("POST /host/backups/{name}/restore/preview", { name }, controller.signal)
      .then(setFound, (refused: unknown) => controller.signal.aborted || setError(errorMessage(refused)));
    return () => controller.abort();
  }, [client, name]);

  if (!found)
    return (
      <Dialog title={t("backups.restoring.title")} size={WIDTH} onClose={onClose}>
        {error ? (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        ) : (
          <p className={classes.wait} role="status">
            <Loader size="sm" /> {t("restore.looking")}
          </p>
        )}
      </Dialog>
    );

  const needsPassphrase = found.needs_passphrase && !endAllKeys;
  const restore = async () => {
    setRestoring(true);
    try {
      const keys = needsPassphrase ? { passphrase } : { end_all_keys: endAllKeys };
      await client.call("POST /host/backups/{name}/restore", { name, ...keys });
      const { failure } = await outcome(client, lastAt);
      if (failure !== null) throw new Error(t("backups.restoring.failed", { why: inWords(failure) }));
      onRestored();
    } finally {
      setRestoring(false);
    }
  };
  return (
    <ConfirmDialog
      title={t("backups.restoring.title")}
      confirmLabel={t("backups.restoring.confirm")}
      typedName={found.today.organization}
      size={WIDTH}
      onConfirm={restore}
      onClose={onClose}
    >
      <div className={classes.parts}>
        <BackupSummary backup={found} />
        <Callout tone="warning">
          <Losses found={found} />
        </Callout>
        <Keys found={found} />
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
        {isRestoring && (
          <p className={classes.wait}>
            <Loader size="sm" /> {t("backups.restoring.running")}
          </p>
        )}
        {work && <FolderProgress work={work} />}
        <LiveRegion>{isRestoring ? t("backups.restoring.running") : undefined}</LiveRegion>
      </div>
    </ConfirmDialog>
  );
}

function Losses({ found: { today, organization } }: { found: Preview }) {
  const { t } = useTranslation();
  const lost = () => {
    if (today.is_other_organization) return t("backups.restoring.other", { today: today.organization, organization });
    const came = newSince(today);
    return came === undefined ? t("backups.restoring.littleLost") : t("backups.restoring.lost", { came });
  };
  return (
    <>
      <p className={classes.text}>{lost()}</p>
      <p className={classes.text}>{t("backups.restoring.aside")}</p>
    </>
  );
}

function Keys({ found: { today, needs_passphrase } }: { found: Preview }) {
  const { t } = useTranslation();
  if (today.key_rotations > 0)
    return (
      <p className={classes.text}>
        {t("backups.restoring.rotated", { count: today.key_rotations })} {t("backups.restoring.rotatedHelp")}
      </p>
    );
  if (needs_passphrase || today.is_other_organization) return null;
  return <p className={classes.hint}>{t("backups.restoring.keysStay")}</p>;
}

/** Asks until the server that was restored answers, however long that takes. */
async function outcome(client: Client, lastAt = 0): Promise<Outcome> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    const answer = await client.call("GET /host/backups", {}).catch(() => undefined); // it restarts
    if (answer?.restored && answer.restored.at > lastAt) return answer.restored;
  }
}
