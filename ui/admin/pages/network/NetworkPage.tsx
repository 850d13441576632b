import { TagsInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Answer, Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { LimitSetting, NumberSetting, SwitchSetting } from "../../../parts/settings/settings.tsx";
import { useSaved } from "../../../parts/settings/use-saved.ts";
import { useAdmin } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { useTarget } from "../../parts/use-target.ts";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import { CloseNetwork } from "../overview/CloseNetwork.tsx";
import { OpenNetwork } from "../overview/OpenNetwork.tsx";
import { HttpsSection } from "./HttpsSection.tsx";
import classes from "./NetworkPage.module.css";
import { RateLimits } from "./RateLimits.tsx";
import { ReachCheck } from "./ReachCheck.tsx";
import { serveCommand } from "./serve-command.ts";

type Settings = Answer<"GET /host/settings">["settings"];
type Change = (changes: Partial<Settings>) => Promise<void>;

const DAY_MINUTES = 1_440;

/** Who reaches the server, and how much each may do. */
export function NetworkPage() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const network = useAnswer("GET /host/network", {}, { isOfHost: true });
  const host = useAnswer("GET /host/settings", {}, { isOfHost: true });
  const error = network.error ?? host.error;
  const change: Change = async (changes) => {
    await client.call("PATCH /host/settings", changes);
    await Promise.all(
      ["GET /host/settings", "GET /host/network"].map((name) => queries.invalidateQueries({ queryKey: [name] })),
    );
  };
  return (
    <Page title={t("network.title")} description={t("network.lead")} width="narrow">
      {error && !network.data && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {(!network.data || !host.data) && !error && <PageSkeleton />}
      {network.data && host.data && <Reach network={network.data} />}
      {network.data && host.data && <ReachCheck network={network.data} />}
      {network.data && host.data && (
        <HttpsSection
          network={network.data}
          setting={host.data.settings.HTTPS}
          isFixed={host.data.set_by_environment.includes("HTTPS")}
          onChange={(HTTPS) => change({ HTTPS })}
        />
      )}
      {network.data && host.data && (
        <Rules
          names={network.data.names}
          settings={host.data.settings}
          fixed={host.data.set_by_environment}
          onChange={change}
        />
      )}
    </Page>
  );
}

function Reach({ network: { listening, connections } }: { network: Answer<"GET /host/network"> }) {
  const { t } = useTranslation();
  const { desktop, server } = useAdmin();
  const [error, setError] = useState<string>();
  const { host, port, lan, chosen_by } = listening;
  // Live, since a computer's addresses change with its networks.
  const addresses = useStore(server.followed, ({ state }) => state?.network.addresses) ?? listening.addresses;
  const dataFolder = useStore(server.followed, ({ state }) => state?.host?.storage.data_folder ?? "");
  return (
    <PageSection title={t("network.reach")}>
      <div className={classes.reach}>
        <div>
          <p className={classes.state}>{t(lan ? "network.open" : "network.closed")}</p>
          <p className={classes.hint}>{t(lan ? "network.openHint" : "network.closedHint")}</p>
        </div>
        {lan && desktop && <CloseNetwork desktop={desktop} />}
        {!lan && (
          <OpenNetwork
            label={t("connect.open")}
            {...{ desktop, network: listening, dataFolder }}
            variant="default"
            size="sm"
            onError={setError}
          />
        )}
      </div>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <dl className={classes.facts}>
        <div>
          <dt>{t("network.addresses")}</dt>
          <dd>
            <ul>
              {addresses.map(({ url, interface: name }) => (
                <li key={url}>
                  <bdi dir="ltr">{url}</bdi>{" "}
                  {lan && <span className={classes.via}>{t("connect.via", { interface: name })}</span>}
                </li>
              ))}
            </ul>
          </dd>
        </div>
        <div>
          <dt>{t("network.listensAt")}</dt>
          <dd dir="ltr">
            {host}, {t("network.port")} {port}
          </dd>
        </div>
        <div>
          <dt>{t("network.connections")}</dt>
          <dd>
            {t("network.connectionsOf", {
              open: connections.open,
              max: connections.max,
              address: connections.max_of_address,
            })}
          </dd>
        </div>
      </dl>
      {chosen_by === "desktop" ? (
        <p className={classes.hint}>{t("network.changeAtDesktop")}</p>
      ) : (
        <>
          <p className={classes.hint}>{t("network.changeAtCommandLine")}</p>
          <CopyableCode>{serveCommand(dataFolder, listening)}</CopyableCode>
        </>
      )}
    </PageSection>
  );
}

interface RulesProps {
  names: readonly string[];
  settings: Settings;
  /** Names of settings that an environment variable sets. */
  fixed: readonly string[];
  onChange: Change;
}

function Rules({ names, settings, fixed, onChange }: RulesProps) {
  const { t } = useTranslation();
  const [{ open }] = usePageSearch();
  const webhooks = useTarget<HTMLDivElement>(open === "webhooks");
  const fixedHelp = (name: keyof Settings, help: string) =>
    fixed.includes(name) ? t("network.byEnvironment", { name }) : help;
  return (
    <>
      <PageSection title={t("network.names")}>
        <SwitchSetting
          label={t("network.mdns")}
          help={fixedHelp("MDNS", t("network.mdnsHint"))}
          disabled={fixed.includes("MDNS")}
          value={settings.MDNS}
          save={(MDNS) => onChange({ MDNS })}
        />
        <dl className={classes.facts}>
          <div>
            <dt>{t("network.ownNames")}</dt>
            <dd>
              <span dir="ltr">{names.join(", ")}</span>
              <p className={classes.hint}>{t("network.ownNamesHint")}</p>
            </dd>
          </div>
        </dl>
        <ListSetting
          label={t("network.allowedHosts")}
          help={fixedHelp("ALLOWED_HOSTS", t("network.allowedHostsHint"))}
          disabled={fixed.includes("ALLOWED_HOSTS")}
          value={settings.ALLOWED_HOSTS}
          save={(ALLOWED_HOSTS) => onChange({ ALLOWED_HOSTS: [...ALLOWED_HOSTS] })}
        />
        <ListSetting
          label={t("network.trustedProxies")}
          help={fixedHelp("TRUSTED_PROXIES", t("network.trustedProxiesHint"))}
          placeholder={t("network.addProxy")}
          invalid={(name) => t("network.invalidProxy", { name })}
          disabled={fixed.includes("TRUSTED_PROXIES")}
          value={settings.TRUSTED_PROXIES}
          save={(TRUSTED_PROXIES) => onChange({ TRUSTED_PROXIES: [...TRUSTED_PROXIES] })}
        />
      </PageSection>
      <div ref={webhooks}>
        <PageSection title={t("network.webhooks")}>
          <ListSetting
            label={t("network.webhookHosts")}
            help={fixedHelp("WEBHOOK_ALLOWED_HOSTS", t("network.webhookHostsHint"))}
            disabled={fixed.includes("WEBHOOK_ALLOWED_HOSTS")}
            value={settings.WEBHOOK_ALLOWED_HOSTS}
            save={(WEBHOOK_ALLOWED_HOSTS) => onChange({ WEBHOOK_ALLOWED_HOSTS: [...WEBHOOK_ALLOWED_HOSTS] })}
          />
        </PageSection>
      </div>
      <PageSection title={t("network.limits")} description={fixedHelp("RATE_LIMITS", t("network.limitsLead"))}>
        <RateLimits
          limits={settings.RATE_LIMITS}
          isFixed={fixed.includes("RATE_LIMITS")}
          onChange={(RATE_LIMITS) => onChange({ RATE_LIMITS: RATE_LIMITS as Settings["RATE_LIMITS"] })}
        />
        <div className={classes.number}>
          <NumberSetting
            label={t("network.uploadSize")}
            help={fixedHelp("MAX_FILE_UPLOAD_SIZE_MIB", t("network.uploadSizeHint"))}
            disabled={fixed.includes("MAX_FILE_UPLOAD_SIZE_MIB")}
            min={1}
            max={1_000_000}
            value={settings.MAX_FILE_UPLOAD_SIZE_MIB}
            save={(MAX_FILE_UPLOAD_SIZE_MIB) => onChange({ MAX_FILE_UPLOAD_SIZE_MIB })}
          />
          <LimitSetting
            label={t("network.uploadQuota")}
            help={fixedHelp("UPLOAD_QUOTA_MIB", t("network.uploadQuotaHint"))}
            placeholder={t("network.unlimited")}
            disabled={fixed.includes("UPLOAD_QUOTA_MIB")}
            value={settings.UPLOAD_QUOTA_MIB}
            save={(UPLOAD_QUOTA_MIB) => onChange({ UPLOAD_QUOTA_MIB })}
          />
          <NumberSetting
            label={t("network.invitationDays")}
            help={fixedHelp("INVITATION_LINK_VALIDITY_MINUTES", t("network.invitationDaysHint"))}
            disabled={fixed.includes("INVITATION_LINK_VALIDITY_MINUTES")}
            min={1 / DAY_MINUTES}
            value={settings.INVITATION_LINK_VALIDITY_MINUTES / DAY_MINUTES}
            save={(days) => onChange({ INVITATION_LINK_VALIDITY_MINUTES: Math.round(days * DAY_MINUTES) })}
          />
        </div>
      </PageSection>
      <PageSection title={t("network.web")}>
        <SwitchSetting
          label={t("network.webPublic")}
          help={fixedHelp("WEB_PUBLIC_STREAMS_ENABLED", t("network.webPublicHint"))}
          disabled={fixed.includes("WEB_PUBLIC_STREAMS_ENABLED")}
          value={settings.WEB_PUBLIC_STREAMS_ENABLED}
          save={(WEB_PUBLIC_STREAMS_ENABLED) => onChange({ WEB_PUBLIC_STREAMS_ENABLED })}
        />
      </PageSection>
    </>
  );
}

interface ListSettingProps {
  label: string;
  help: string;
  placeholder?: string;
  /** What is wrong with an item that the server refuses. */
  invalid?: (name: string) => string;
  disabled: boolean;
  value: readonly string[];
  save(value: readonly string[]): Promise<unknown>;
}

function ListSetting({ label, help, placeholder, invalid, disabled, value, save }: ListSettingProps) {
  const { t } = useTranslation();
  const saveInWords = (next: readonly string[]) =>
    save(next).catch((refused: unknown) => {
      const added = next.find((one) => !value.includes(one));
      // The server names the list's item by its number.
      const isItem = refused instanceof Refusal && refused.status === 400 && added !== undefined;
      if (!isItem) throw refused;
      throw new Error(invalid?.(added) ?? t("network.invalidName", { name: added }));
    });
  const { shown, error, isSaving, change } = useSaved({ value, save: saveInWords, name: label });
  return (
    <TagsInput
      classNames={{ input: classes.tags, inputField: classes.tagField }}
      label={label}
      description={help}
      error={error}
      disabled={disabled}
      aria-busy={isSaving}
      placeholder={disabled ? "" : (placeholder ?? t("network.addName"))}
      value={[...shown]}
      onChange={change}
    />
  );
}
