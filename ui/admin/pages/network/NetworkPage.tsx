import { useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { textAt } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { type Setting, useSettingTables } from "../../../parts/settings/setting-tables.ts";
import { useAdmin } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { useTarget } from "../../parts/use-target.ts";
import { SettingControl } from "../../settings/SettingControl.tsx";
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

/** The settings of the server that the server's table puts on this page. */
function Rules({ names, settings, fixed, onChange }: RulesProps) {
  const { t } = useTranslation();
  const [{ open }] = usePageSearch();
  const webhooks = useTarget<HTMLDivElement>(open === "webhooks");
  const table = useSettingTables()?.operator;
  if (!table) return <PageSkeleton />;

  const row = (setting: Setting) => {
    const { name, control } = setting;
    const value = settings[name as keyof Settings];
    const text = (key: string) => textAt(`operatorSettings.${name}.${key}`);
    const isFixed = fixed.includes(name);
    if (control === "rate limits")
      return (
        <RateLimits
          limits={value as Settings["RATE_LIMITS"]}
          maxSeconds={setting.max ?? Number.MAX_SAFE_INTEGER}
          isFixed={isFixed}
          onChange={(limits) => onChange({ RATE_LIMITS: limits as Settings["RATE_LIMITS"] })}
        />
      );
    return (
      <div className={NUMBERS.has(control) ? classes.number : undefined}>
        <SettingControl
          setting={setting}
          text={text}
          help={isFixed ? t("network.byEnvironment", { name }) : text("help")}
          disabled={isFixed}
          value={value}
          save={(next) => onChange({ [name]: next })}
        />
      </div>
    );
  };

  return table.map(({ section, settings: shown }) => (
    <div key={section} ref={section === "webhooks" ? webhooks : undefined}>
      <PageSection
        title={textAt(`network.${section}`) ?? section}
        description={section === "limits" ? limitsLead(fixed, t) : undefined}
      >
        {shown.map((setting) => (
          <Fragment key={setting.name}>
            {row(setting)}
            {setting.name === "MDNS" && <OwnNames names={names} />}
          </Fragment>
        ))}
      </PageSection>
    </div>
  ));
}

/** Narrow fields. */
const NUMBERS: ReadonlySet<Setting["control"]> = new Set(["number", "limit", "minutes"]);

/** Its first setting has no field of its own to hold the help. */
const limitsLead = (fixed: readonly string[], t: TFunction): string =>
  fixed.includes("RATE_LIMITS")
    ? t("network.byEnvironment", { name: "RATE_LIMITS" })
    : t("operatorSettings.RATE_LIMITS.help");

function OwnNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t("network.ownNames")}</dt>
        <dd>
          <span dir="ltr">{names.join(", ")}</span>
          <p className={classes.hint}>{t("network.ownNamesHint")}</p>
        </dd>
      </div>
    </dl>
  );
}
