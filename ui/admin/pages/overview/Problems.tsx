import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { locale, problemInWords } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { exactTime } from "../../../parts/format.ts";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { useUpdates } from "../updates/use-updates.ts";

/** Problems that need attention, each with a link to the page where the user can solve it. */
export function Problems({ serverState: { deliveries, host } }: { serverState: ServerState }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const { state: updates } = useUpdates(desktop);
  const { failed, retried } = deliveries;
  const backups = host?.backups;
  const newer = updates?.found?.version;
  const ahead = backups?.ahead_at ?? null;
  const damaged = host?.storage.damaged_uploads ?? 0;
  const hasBackupProblem = backups?.failure || backups?.is_old || ahead !== null;
  if (failed === 0 && retried.count === 0 && !hasBackupProblem && damaged === 0 && newer === undefined) return null;
  return (
    <Stack component="section" gap="xs" aria-label={t("problems.title")}>
      {retried.count > 0 && <RetriedBots {...retried} />}
      {failed > 0 && (
        <Callout
          tone="warning"
          action={
            <PageLink to="/webhooks" search={{ state: "failed" }}>
              {t("problems.showDeliveries")}
            </PageLink>
          }
        >
          {t("problems.deliveries", { count: failed })}
        </Callout>
      )}
      {damaged > 0 && (
        <Callout tone="warning" action={<PageLink to="/logs">{t("problems.showLog")}</PageLink>}>
          {t("problems.damagedUploads", { count: damaged })}
        </Callout>
      )}
      {(backups?.failure || backups?.is_old) && (
        <Callout tone="warning" action={<PageLink to="/backups">{t("backupHealth.open")}</PageLink>}>
          {backups.failure
            ? t("problems.backup", { reason: problemInWords(backups.failure.problem) })
            : t("problems.noBackup")}
        </Callout>
      )}
      {ahead !== null && (
        <Callout tone="warning" action={<PageLink to="/backups">{t("backupHealth.open")}</PageLink>}>
          {t("problems.backupAhead", { time: exactTime(ahead) })}
        </Callout>
      )}
      {newer !== undefined && (
        <Callout tone="info" action={<PageLink to="/updates">{t("problems.showUpdate")}</PageLink>}>
          {t("problems.update", { version: newer })}
        </Callout>
      )}
    </Stack>
  );
}

/** Bots whose receivers refuse deliveries. */
function RetriedBots({ count, bots }: ServerState["deliveries"]["retried"]) {
  const { t } = useTranslation();
  const own = useOrganization(({ realm_bots }) => realm_bots);
  const [first] = bots;
  if (count === 1 && first) {
    const { bot_id, full_name: name, waiting } = first;
    // A bot with a higher role than the administrator who reads this has no page for them.
    const isManaged = own?.some(({ user_id }) => user_id === bot_id);
    return (
      <Callout
        tone="warning"
        action={
          isManaged && (
            <PageLink to="/bots" search={{ open: String(bot_id), tab: "deliveries" }}>
              {t("problems.showBot")}
            </PageLink>
          )
        }
      >
        {t("problems.retried", { count: waiting, name })}
      </Callout>
    );
  }
  const more = count - bots.length;
  const names = [
    ...bots.map(({ full_name }) => full_name),
    ...(more > 0 ? [t("problems.moreBots", { count: more })] : []),
  ];
  return (
    <Callout
      tone="warning"
      action={
        <PageLink to="/bots" search={{ health: "failing" }}>
          {t("problems.showBots")}
        </PageLink>
      }
    >
      {t("problems.retriedBots", {
        count,
        names: new Intl.ListFormat(locale(), { type: "conjunction" }).format(names),
      })}
    </Callout>
  );
}
