import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { bytes, dayAndTime, exactTime, number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { SwitchSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { useAdmin } from "../../admin-context.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { FileList, FileRow } from "../../parts/FileList.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { WorkProgress } from "../../parts/WorkProgress.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import { PassphraseDialog } from "./PassphraseDialog.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { useBackups } from "./use-backups.ts";

type Backups = Answer<"GET /host/backups">;
type Backup = Backups["backups"][number];

export function BackupsPage() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const { data, error, refetch } = useBackups();
  return (
    <Page title={t("backups.title")} description={t("backups.lead")} width="narrow">
      {error && !data && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {!data && !error && <PageSkeleton />}
      {data && (
        <>
          {data.restored && <LastRestore restored={data.restored} />}
          <Newest backups={data} refetch={refetch} />
          <List backups={data} refetch={refetch} />
          <Schedule backups={data} />
          <Passphrase backups={data} refetch={refetch} />
          <PageSection
            title={t("backups.restore")}
            description={t(session.at_desktop ? "backups.restoreLeadAtDesk" : "backups.restoreLead")}
          >
            <CopyableCode>{restoreCommand(data)}</CopyableCode>
          </PageSection>
        </>
      )}
    </Page>
  );
}

/** The result of the last restore and the location of the data before it, shown until the server stops. */
function LastRestore({ restored: { at, name, failure, aside } }: { restored: NonNullable<Backups["restored"]> }) {
  const { t } = useTranslation();
  return (
    <Callout tone={failure === null ? "info" : "error"} role="status">
      {failure === null
        ? t("backups.restoring.done", { name, time: dayAndTime(at) })
        : t("backups.restoring.failed", { why: problemInWords(failure) })}
      {aside !== null && (
        <Text inherit mt="xxs">
          {t("backups.restoring.asideIn", { aside })}
        </Text>
      )}
    </Callout>
  );
}

interface PartProps {
  backups: Backups;
  refetch(): Promise<void>;
}

function Newest({ backups, refetch }: PartProps) {
  const { t } = useTranslation();
  const client = useClient();
  const make = useMutation({ mutationFn: () => client.call("POST /host/backups", {}), onSettled: refetch });
  const { last_at, ahead_at, next_at, work, failure, is_old, problem } = backups;
  const now = useNow();
  const isMaking = work?.kind === "make";
  const shownError = make.error ? errorMessage(make.error) : problemInWords(problem ?? failure?.problem);
  const tone = failure || problem ? "bad" : is_old || last_at === null || ahead_at !== null ? "warning" : "good";
  return (
    <PageSection title={t("backups.newest")}>
      <Group justify="space-between" gap="0.75rem 1.5rem">
        <div>
          <Text size="lg" fw={560}>
            <StatusText tone={tone}>
              {last_at === null ? (
                t("backups.none")
              ) : (
                <>
                  {t("backups.made")} <RelativeTime at={last_at} />
                </>
              )}
            </StatusText>
          </Text>
          <Hint>
            {next_at === null && t("backups.nextNone")}
            {next_at !== null &&
              (next_at <= now ? t("backups.nextSoon") : t("backups.next", { time: dayAndTime(next_at) }))}
          </Hint>
        </div>
        <BusyButton busy={isMaking} variant={last_at === null ? "filled" : "default"} onClick={() => make.mutate()}>
          {t("backups.now")}
        </BusyButton>
      </Group>
      {isMaking && <Work work={work} label={t("backups.making")} />}
      {ahead_at !== null && (
        <Callout tone="warning">{t("problems.backupAhead", { time: exactTime(ahead_at) })}</Callout>
      )}
      {shownError && (
        <Callout tone="error" role="alert">
          {shownError}
        </Callout>
      )}
    </PageSection>
  );
}

function Work({ work, label }: { work: NonNullable<Backups["work"]>; label: string }) {
  const { done, total } = work;
  const text = total === 0 ? label : `${label} ${bytes(done)} / ${bytes(total)}`;
  return <WorkProgress {...{ label, done, total, text }} />;
}

function List({ backups, refetch }: PartProps) {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const client = useClient();
  const [deleted, setDeleted] = useState<Backup>();
  const [restored, setRestored] = useState<Backup>();
  return (
    <PageSection title={t("backups.list")} description={t("backups.listLead")}>
      {backups.backups.length === 0 ? (
        <EmptyState title={t("backups.empty")}>{t("backups.emptyHint")}</EmptyState>
      ) : (
        <FileList label={t("backups.list")}>
          {backups.backups.map((backup) => (
            <Row
              key={backup.name}
              {...{ backup, backups, refetch }}
              onDelete={() => setDeleted(backup)}
              onRestore={() => setRestored(backup)}
            />
          ))}
        </FileList>
      )}
      {!session.at_desktop && backups.backups.length > 0 && (
        <Hint>{t("backups.noDownload", { folder: backups.folder })}</Hint>
      )}
      {deleted && (
        <ConfirmDialog
          title={t("backups.deleteTitle")}
          confirmLabel={t("backups.delete")}
          onConfirm={async () => {
            await client.call("DELETE /host/backups/{name}", { name: deleted.name });
            await refetch();
          }}
          onClose={() => setDeleted(undefined)}
        >
          {t("backups.deleteText", { name: deleted.name })}
        </ConfirmDialog>
      )}
      {restored && (
        <RestoreDialog
          name={restored.name}
          lastAt={backups.restored?.at}
          onRestored={() => void refetch()}
          onClose={() => setRestored(undefined)}
        />
      )}
    </PageSection>
  );
}

interface RowProps extends PartProps {
  backup: Backup;
  onDelete(): void;
  onRestore(): void;
}

function Row({ backup, backups: { work }, refetch, onDelete, onRestore }: RowProps) {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const client = useClient();
  const { name, about, check } = backup;
  const isBusy = work?.name === name;
  const verify = useMutation({
    mutationFn: () => client.call("POST /host/backups/{name}/verify", { name }),
    onSettled: refetch,
  });
  const title = about ? dayAndTime(about.created_at) : name;
  const found = backup.problem ?? check?.problem;
  const problem = found && problemInWords(found);
  const error = problem ?? (verify.error ? errorMessage(verify.error) : undefined);
  return (
    <FileRow
      title={title}
      tools={
        <>
          {session.at_desktop && about && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t("backups.restoring.openNamed", { name: title })}
              onClick={onRestore}
            >
              {t("backups.restoring.open")}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t("backups.checkNamed", { name: title })}
            onClick={() => verify.mutate()}
          >
            {t("backups.check")}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={t("backups.deleteNamed", { name: title })}
            onClick={onDelete}
          >
            {t("backups.deleteShort")}
          </Button>
        </>
      }
    >
      {about && (
        <Hint>
          {[
            !about.is_own && about.organization,
            t("backups.people", { count: about.people }),
            t("backups.messages", { count: about.messages }),
            t("backups.files", { count: about.files.count }),
            bytes(backup.bytes),
            t(`backups.by.${about.made_by}`),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Hint>
      )}
      {about && about.missing_files > 0 && <Hint>{t("backups.missing", { number: number(about.missing_files) })}</Hint>}
      {about && about.damaged_files > 0 && <Hint>{t("backups.damaged", { number: number(about.damaged_files) })}</Hint>}
      {about?.has_secret && <Hint>{t("backups.withKeys")}</Hint>}
      {check && !problem && <StatusText tone="good">{t("backups.checked")}</StatusText>}
      {error && <StatusText tone="bad">{error}</StatusText>}
      {isBusy && work.kind === "verify" && <Work work={work} label={t("backups.checking")} />}
    </FileRow>
  );
}

function Schedule({ backups }: { backups: Backups }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const host = useAnswer("GET /host/settings", {}, { isOfHost: true });
  const isFixed = (name: string) => host.data?.set_by_environment.includes(name) ?? true;
  const change = async (changes: { BACKUPS_DAILY?: boolean; BACKUP_FOLDER?: string | null }) => {
    await client.call("PATCH /host/settings", changes);
    await queries.invalidateQueries({ queryKey: ["GET /host/backups"] });
  };
  const { desktop } = useAdmin();
  const choice = useMutation({
    mutationFn: async ({ chooseBackupFolder }: Desktop) => {
      const folder = await chooseBackupFolder();
      if (folder === null) return;
      const before = backups.is_default_folder ? null : backups.folder;
      await change({ BACKUP_FOLDER: folder });
      noticeDone(t("saving.savedNamed", { name: t("backups.folder") }), () => change({ BACKUP_FOLDER: before }));
    },
    onError: (error) => noticeError(error),
  });
  return (
    <PageSection title={t("backups.schedule")}>
      <SwitchSetting
        label={t("backups.daily")}
        help={t("backups.dailyHelp")}
        value={backups.daily}
        disabled={isFixed("BACKUPS_DAILY")}
        save={(BACKUPS_DAILY) => change({ BACKUPS_DAILY })}
      />
      <TextSetting
        label={t("backups.folder")}
        help={t(backups.is_default_folder ? "backups.folderDefault" : "backups.folderHelp")}
        value={backups.folder}
        disabled={isFixed("BACKUP_FOLDER")}
        save={(folder) => change({ BACKUP_FOLDER: folder.trim() === "" ? null : folder })}
      />
      {desktop && !isFixed("BACKUP_FOLDER") && (
        <div>
          <BusyButton variant="default" size="sm" busy={choice.isPending} onClick={() => choice.mutate(desktop)}>
            {t("backups.chooseFolder")}
          </BusyButton>
        </div>
      )}
    </PageSection>
  );
}

function Passphrase({ backups: { has_passphrase }, refetch }: PartProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [dialog, setDialog] = useState<"set" | "remove">();
  return (
    <PageSection title={t("backups.passphrase")} description={t("backups.passphraseLead")}>
      <Group justify="space-between">
        <StatusText tone={has_passphrase ? "good" : "quiet"}>
          {t(has_passphrase ? "backups.passphraseSet" : "backups.passphraseNone")}
        </StatusText>
        <Group gap="xxs">
          {has_passphrase && (
            <Button variant="subtle" color="gray" size="sm" onClick={() => setDialog("remove")}>
              {t("backups.passphraseRemove")}
            </Button>
          )}
          <Button variant="default" size="sm" onClick={() => setDialog("set")}>
            {t(has_passphrase ? "backups.passphraseChange" : "backups.passphraseChoose")}
          </Button>
        </Group>
      </Group>
      {dialog === "set" && (
        <PassphraseDialog
          onSubmit={async (passphrase) => {
            await client.call("PUT /host/backups/passphrase", { passphrase });
            await refetch();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "remove" && (
        <ConfirmDialog
          title={t("backups.passphraseRemoveTitle")}
          confirmLabel={t("backups.passphraseRemove")}
          onConfirm={async () => {
            await client.call("DELETE /host/backups/passphrase", {});
            await refetch();
          }}
          onClose={() => setDialog(undefined)}
        >
          {t("backups.passphraseRemoveText")}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

function restoreCommand({ folder, data_folder, backups }: Backups): string {
  const file = backups[0]?.name ?? "FILE";
  return `npm run --silent hearth -- restore "${folder}/${file}" --data "${data_folder}"`;
}
