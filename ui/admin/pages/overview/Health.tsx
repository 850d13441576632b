import { Anchor } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { ServerState } from "../../../api/server-state.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { bytes, duration, exactTime, milliseconds, relative } from "../../../parts/format.ts";
import { useNow } from "../../../parts/use-now.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { type HostFigures, isDiskLow } from "./disk.ts";
import classes from "./Health.module.css";

export interface HealthProps {
  serverState: ServerState;
  clockAhead: number;
  desktop: Desktop | undefined;
}

/** Users notice when the slowest percent of requests waits longer than this. */
const SLOW_MS = 250;

export function Health({ serverState, clockAhead, desktop }: HealthProps) {
  const { t } = useTranslation();
  const now = useNow();
  const started = serverState.started_at - clockAhead; // by this machine's clock
  const { queues, deliveries, host } = serverState;
  const isLow = isDiskLow(serverState);
  const isSlow = host !== null && host.event_loop.delay_ms_p99 > SLOW_MS;
  const hasFailed = deliveries.failed > 0;
  const isRetried = deliveries.retried.count > 0;
  const deliveriesConcern = hasFailed ? "deliveriesConcern" : isRetried ? "deliveriesRetried" : undefined;
  const backup = host ? backupConcern(host.backups) : undefined;
  const hasDamage = (host?.storage.damaged_uploads ?? 0) > 0;
  const concerns = [isLow, isSlow, hasFailed || isRetried, backup !== undefined, hasDamage].filter(Boolean).length;
  return (
    <PageSection
      level={2}
      title={t("health.title")}
      aside={
        <span className={classes.summary} data-good={concerns === 0}>
          {concerns === 0 ? t("health.good") : t("health.concerns", { count: concerns })}
        </span>
      }
    >
      <dl className={classes.facts}>
        {host && (
          <Machine {...{ host, isLow, isSlow, desktop, clockAhead }} acceptsWrites={serverState.accepts_writes} />
        )}
        <Fact label={t("health.queues")} value={t("health.queuesValue", queues)} help={t("health.queuesHelp")} />
        <Fact
          label={t("health.deliveries")}
          value={t(hasFailed ? "health.deliveriesFailed" : "health.deliveriesWaiting", {
            count: hasFailed ? deliveries.failed : deliveries.waiting,
          })}
          concern={deliveriesConcern && t(`health.${deliveriesConcern}`)}
          help={t("health.deliveriesHelp")}
        />
        <Fact
          label={t("health.started")}
          value={duration(now - started)}
          help={t("health.startedHelp", { time: exactTime(started), version: serverState.version })}
        />
      </dl>
    </PageSection>
  );
}

interface MachineProps {
  host: HostFigures;
  isLow: boolean;
  isSlow: boolean;
  acceptsWrites: boolean;
  clockAhead: number;
  desktop: Desktop | undefined;
}

/** Facts about the computer that runs Hearth, for the operator and owners. */
function Machine({ host, isLow, isSlow, acceptsWrites, desktop, clockAhead }: MachineProps) {
  const { t } = useTranslation();
  const now = useNow();
  const { storage, memory, event_loop: loop, backups } = host;
  const backup = backupConcern(backups);
  const delay = {
    median: milliseconds(loop.delay_ms_median),
    p99: milliseconds(loop.delay_ms_p99),
    max: milliseconds(loop.delay_ms_max),
  };
  const free = bytes(storage.disk_free_bytes);
  const folder = storage.data_folder;
  return (
    <>
      <Fact
        label={t("health.disk")}
        value={t("health.diskValue", { free, total: bytes(storage.disk_total_bytes) })}
        concern={isLow ? t(acceptsWrites ? "health.diskLow" : "health.diskFull") : undefined}
        help={t("health.diskHelp", { folder })}
      >
        {desktop && (
          <Anchor component="button" type="button" size="xs" onClick={() => void desktop.showDataFolder()}>
            {t("health.folder")}
          </Anchor>
        )}
      </Fact>
      <Fact
        label={t("backupHealth.label")}
        value={backups.last_at === null ? t("backupHealth.none") : relative(backups.last_at - clockAhead, now)}
        concern={backup && t(`backupHealth.${backup}`)}
        help={backups.failure ? problemInWords(backups.failure.problem) : t("backupHealth.help")}
      >
        <PageLink to="/backups">{t("backupHealth.open")}</PageLink>
      </Fact>
      <Fact label={t("health.database")} value={bytes(storage.database_bytes)} help={t("health.databaseHelp")} />
      <Fact label={t("health.log")} value={bytes(storage.log_bytes)} help={t("health.logHelp")} />
      <Fact label={t("health.memory")} value={bytes(memory.process_bytes)} help={t("health.memoryHelp")} />
      <Fact
        label={t("health.delay")}
        value={delay.p99}
        concern={isSlow ? t("health.delaySlow") : undefined}
        help={t("health.delayHelp", delay)}
      />
    </>
  );
}

/** The problem, as a key of `backupHealth`. */
function backupConcern({ failure, is_old, ahead_at }: HostFigures["backups"]): "failed" | "old" | "ahead" | undefined {
  if (failure) return "failed";
  if (is_old) return "old";
  return ahead_at === null ? undefined : "ahead";
}

interface FactProps {
  label: string;
  value: string;
  concern?: string | undefined;
  help: string;
  children?: ReactNode;
}

function Fact({ label, value, concern, help, children }: FactProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.fact}>
      <dt>
        {label}
        <button
          type="button"
          className={classes.helpButton}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={t("health.explainNamed", { label })}
          title={t("health.explain")}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{QUESTION_MARK}</span>
        </button>
      </dt>
      <dd className={classes.value}>
        {concern && <span className={classes.concern}>{concern}</span>}
        <span>{value}</span>
      </dd>
      <dd id={id} className={classes.help} hidden={!isOpen}>
        {help} {children}
      </dd>
    </div>
  );
}

const QUESTION_MARK = "?";
