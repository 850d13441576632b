import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage, inWords } from "../../../parts/error-messages.ts";
import { bytes, dayAndTime, exactTime, number } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
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
import classes from "./BackupsPage.module.css";
import { PassphraseDialog } from "./PassphraseDialog.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { useBackups } from "./use-backups.ts";

type Backups = Answer<"GET /host/backups">;
type Backup = Backups["backups"][number];

/** What is there in case the computer is not. */
export function BackupsPage() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const { data, error, ask } = useBackups();
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
          <Newest backups={data} ask={ask} />
          <List backups={data} ask={ask} />
          <Schedule backups={data} />
          <Passphrase backups={data} ask={ask} />
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

/** Until the process ends: how it went, and where today's data is now. */
function LastRestore({ restored: { at, name, failure, aside } }: { restored: NonNullable<Backups["restored"]> }) {
  const { t } = useTranslation();
  return (
    <Callout tone={failure === null ? "info" : "error"} role="status">
      {failure === null
        ? t("backups.restoring.done", { name, time: dayAndTime(at) })
        : t("backups.restoring.failed", { why: inWords(failure) })}
      {aside !== null && <p className={classes.aside}>{t("backups.restoring.asideIn", { aside })}</p>}
    </Callout>
  );
}

interface PartProps {
  backups: Backups;
  /** Asks the server again. */
  ask(): Promise<void>;
}

/** Whether there is a good one, and the button that makes another. */
function Newest({ backups, ask }: PartProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [error, setError] = useState<string>();
  const { last_at, ahead_at, next_at, work, failure, is_old, problem } = backups;
  const now = useNow();
  const isMaking = work?.kind === "make";
  const make = async () => {
    setError(undefined);
    try {
      await client.call("POST /host/backups", {});
    } catch (refused) {
      setError(errorMessage(refused));
    }
    await ask();
  };
  const shownError = error ?? inWords(problem ?? failure?.reason ?? "");
  const tone = failure || problem ? "bad" : is_old || last_at === null || ahead_at !== null ? "warning" : "good";
  return (
    <PageSection title={t("backups.newest")}>
      <div className={classes.newest}>
        <div>
          <p className={classes.state}>
            <StatusText tone={tone}>
              {last_at === null ? (
                t("backups.none")
              ) : (
                <>
                  {t("backups.made")} <RelativeTime at={last_at} />
                </>
              )}
            </StatusText>
          </p>
          <Hint>
            {next_at === null && t("backups.nextNone")}
            {next_at !== null &&
              (next_at <= now ? t("backups.nextSoon") : t("backups.next", { time: dayAndTime(next_at) }))}
          </Hint>
        </div>
        <BusyButton busy={isMaking} variant={last_at === null ? "filled" : "default"} onClick={() => void make()}>
          {t("backups.now")}
        </BusyButton>
      </div>
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

function List({ backups, ask }: PartProps) {
  const { t } = useTranslation();
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
              {...{ backup, backups, ask }}
              onDelete={() => setDeleted(backup)}
              onRestore={() => setRestored(backup)}
            />
          ))}
        </FileList>
      )}
      {deleted && (
        <ConfirmDialog
          title={t("backups.deleteTitle")}
          confirmLabel={t("backups.delete")}
          onConfirm={async () => {
            await client.call("DELETE /host/backups/{name}", { name: deleted.name });
            await ask();
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
          onRestored={() => void ask()}
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

function Row({ backup, backups: { work }, ask, onDelete, onRestore }: RowProps) {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const client = useClient();
  const [error, setError] = useState<string>();
  const { name, about, check } = backup;
  const isBusy = work?.name === name;
  const verify = async () => {
    setError(undefined);
    try {
      await client.call("POST /host/backups/{name}/verify", { name });
    } catch (refused) {
      setError(errorMessage(refused));
    }
    await ask();
  };
  const title = about ? dayAndTime(about.created_at) : name;
  const found = backup.problem ?? check?.problem;
  const problem = found && inWords(found);
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
            onClick={() => void verify()}
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
      {(problem ?? error) && <StatusText tone="bad">{problem ?? error}</StatusText>}
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
    </PageSection>
  );
}

function Passphrase({ backups: { has_passphrase }, ask }: PartProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [asked, setAsked] = useState<"set" | "remove">();
  return (
    <PageSection title={t("backups.passphrase")} description={t("backups.passphraseLead")}>
      <div className={classes.newest}>
        <StatusText tone={has_passphrase ? "good" : "quiet"}>
          {t(has_passphrase ? "backups.passphraseSet" : "backups.passphraseNone")}
        </StatusText>
        <div className={classes.tools}>
          {has_passphrase && (
            <Button variant="subtle" color="gray" size="sm" onClick={() => setAsked("remove")}>
              {t("backups.passphraseRemove")}
            </Button>
          )}
          <Button variant="default" size="sm" onClick={() => setAsked("set")}>
            {t(has_passphrase ? "backups.passphraseChange" : "backups.passphraseChoose")}
          </Button>
        </div>
      </div>
      {asked === "set" && (
        <PassphraseDialog
          onSubmit={async (passphrase) => {
            await client.call("PUT /host/backups/passphrase", { passphrase });
            await ask();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={t("backups.passphraseRemoveTitle")}
          confirmLabel={t("backups.passphraseRemove")}
          onConfirm={async () => {
            await client.call("DELETE /host/backups/passphrase", {});
            await ask();
          }}
          onClose={() => setAsked(undefined)}
        >
          {t("backups.passphraseRemoveText")}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

/** As a shell takes it. */
function restoreCommand({ folder, data_folder, backups }: Backups): string {
  const file = backups[0]?.name ?? "FILE";
  return `npm run --silent hearth -- restore "${folder}/${file}" --data "${data_folder}"`;
}
