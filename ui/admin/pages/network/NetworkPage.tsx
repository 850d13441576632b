import { Box, Group, Text } from "@mantine/core";
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
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
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
import { RateLimits } from "./RateLimits.tsx";
import { ReachCheck } from "./ReachCheck.tsx";

type Settings = Answer<"GET /host/settings">["settings"];
type Change = (changes: Partial<Settings>) => Promise<void>;

/** The server's network settings and limits. */
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
  // Live, because a computer's addresses change with its networks.
  const addresses = useStore(server.followed, ({ state }) => state?.network.addresses) ?? listening.addresses;
  const dataFolder = useStore(server.followed, ({ state }) => state?.host?.storage.data_folder ?? "");
  return (
    <PageSection title={t("network.reach")}>
      <Group justify="space-between" gap="0.75rem 1.5rem">
        <div>
          <Text size="lg" fw={560}>
            {t(lan ? "network.open" : "network.closed")}
          </Text>
          <Hint isLead>{t(lan ? "network.openHint" : "network.closedHint")}</Hint>
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
      </Group>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Facts labelWidth="10rem">
        <Fact label={t("network.addresses")}>
          <PlainList>
            {addresses.map(({ url, interface: name }) => (
              <li key={url}>
                <bdi dir="ltr">{url}</bdi>{" "}
                {lan && (
                  <Text span inherit c="dimmed">
                    {t("connect.via", { interface: name })}
                  </Text>
                )}
              </li>
            ))}
          </PlainList>
        </Fact>
        <Fact label={t("network.listensAt")}>
          <span dir="ltr">
            {host}, {t("network.port")} {port}
          </span>
        </Fact>
        <Fact label={t("network.connections")}>
          {t("network.connectionsOf", {
            open: connections.open,
            max: connections.max,
            address: connections.max_of_address,
          })}
        </Fact>
      </Facts>
      {chosen_by === "desktop" ? (
        <Hint>{t("network.changeAtDesktop")}</Hint>
      ) : (
        <>
          <Hint>{t("network.changeAtCommandLine")}</Hint>
          <CopyableCode>{serveCommand(dataFolder, listening)}</CopyableCode>
        </>
      )}
    </PageSection>
  );
}

interface RulesProps {
  names: readonly string[];
  settings: Settings;
  /** The settings that environment variables set. */
  fixed: readonly string[];
  onChange: Change;
}

/** The operator's settings, as listed in the server's table. */
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
      <Box {...(NARROW.has(control) && { maw: "20rem" })}>
        <SettingControl
          setting={setting}
          text={text}
          help={isFixed ? t("network.byEnvironment", { name }) : text("help")}
          disabled={isFixed}
          value={value}
          save={(next) => onChange({ [name]: next })}
        />
      </Box>
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

/** Controls with narrow fields. */
const NARROW: ReadonlySet<Setting["control"]> = new Set(["number", "limit", "minutes"]);

/** The rate limits have no single field that could show their help. */
const limitsLead = (fixed: readonly string[], t: TFunction): string =>
  fixed.includes("RATE_LIMITS")
    ? t("network.byEnvironment", { name: "RATE_LIMITS" })
    : t("operatorSettings.RATE_LIMITS.help");

function OwnNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Facts labelWidth="10rem">
      <Fact label={t("network.ownNames")}>
        <span dir="ltr">{names.join(", ")}</span>
        <Hint>{t("network.ownNamesHint")}</Hint>
      </Fact>
    </Facts>
  );
}

/** The command that starts this server again, to edit its address and port. */
const serveCommand = (folder: string, { host, port }: { host: string; port: number }): string =>
  `npm run hearth -- serve --data "${folder}" --host ${host} --port ${port}`;
