import { Box, Button, Group, Radio, Stack, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Answer, Refusal } from "../../../api/client.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { Fingerprint } from "../../../parts/Fingerprint.tsx";
import { dayAndTime } from "../../../parts/format.ts";
import { isLocalHost } from "../../../parts/is-local-host.ts";
import { QrCode } from "../../../parts/QrCode.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { useTarget } from "../../parts/use-target.ts";

type Network = Answer<"GET /host/network">;
type CertificateProblem = NonNullable<Network["https"]["refusal"]>;
type Setting = Answer<"GET /host/settings">["settings"]["HTTPS"];

const CHOICES = [
  { use: "off", label: "network.httpsOff", hint: "network.httpsOffHint" },
  { use: "local authority", label: "network.httpsAuthority", hint: "network.httpsAuthorityHint" },
  { use: "files", label: "network.httpsFiles", hint: "network.httpsFilesHint" },
] as const;

const FILE_TEXTS = {
  certificate: { label: "network.httpsCertificate", hint: "network.httpsCertificateHint" },
  key: { label: "network.httpsKey", hint: "network.httpsKeyHint" },
} as const;

export interface HttpsSectionProps {
  network: Network;
  setting: Setting;
  /** Whether an environment variable sets it. */
  isFixed: boolean;
  onChange(setting: Setting): Promise<void>;
}

/** Encryption: its certificate, and how devices trust it. */
export function HttpsSection({ network, setting, isFixed, onChange }: HttpsSectionProps) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const [use, setUse] = useState<Setting["use"]>(setting.use);
  const [files, setFiles] = useState(setting.use === "files" ? setting : { certificate: "", key: "" });
  const [isConfirming, setConfirming] = useState(false);
  const { certificate, key } = files;
  const next: Setting = use === "files" ? { use, certificate: certificate.trim(), key: key.trim() } : { use };
  const isChanged = JSON.stringify(next) !== JSON.stringify(setting);
  const kind = next.use === "off" ? "off" : setting.use === "off" ? "on" : "change";
  const isComplete = next.use !== "files" || (next.certificate !== "" && next.key !== "");
  const { https } = network;
  const [{ open }] = usePageSearch();
  const target = useTarget<HTMLDivElement>(open === "https");
  const inWords = ({ code, file, detail }: CertificateProblem) => t(`network.httpsRefused.${code}`, { file, detail });
  const save = (setting: Setting) =>
    onChange(setting).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error.data["refusal"] : undefined;
      throw refusal ? new Error(inWords(refusal as CertificateProblem)) : error;
    });
  return (
    <div ref={target}>
      <PageSection title={t("network.https")} description={t("network.httpsLead")}>
        <form
          style={{ maxInlineSize: "44rem" }}
          onSubmit={(event) => {
            event.preventDefault();
            setConfirming(true);
          }}
        >
          <Radio.Group
            label={t("network.httpsHow")}
            description={isFixed ? t("network.byEnvironment", { name: "HTTPS" }) : undefined}
            value={use}
            onChange={(value) => setUse(value as Setting["use"])}
          >
            <Stack gap="sm" mt="xs">
              {CHOICES.map(({ use: value, label, hint }) => (
                <Radio key={value} value={value} label={t(label)} description={t(hint)} disabled={isFixed} />
              ))}
            </Stack>
          </Radio.Group>
          {use === "files" && (
            <Stack gap="sm" mt="md">
              {(["certificate", "key"] as const).map((field) => (
                <TextInput
                  key={field}
                  label={t(FILE_TEXTS[field].label)}
                  description={t(FILE_TEXTS[field].hint)}
                  value={files[field]}
                  disabled={isFixed}
                  dir="ltr"
                  onChange={(event) => setFiles({ ...files, [field]: event.currentTarget.value })}
                />
              ))}
              <FilesHelp />
            </Stack>
          )}
          {isChanged && (
            <Button type="submit" mt="md" disabled={!isComplete}>
              {t("network.httpsSave")}
            </Button>
          )}
        </form>
        {https.problem && (
          <Callout tone="error" role="alert">
            {https.refusal ? inWords(https.refusal) : https.problem}
          </Callout>
        )}
        {https.ends_at !== null && <Certificate network={network} endsAt={https.ends_at} />}
        {https.root && <Root network={network} root={https.root} />}
        {isConfirming && (
          <ConfirmDialog
            title={t(`network.httpsConfirm.${kind}.title`)}
            confirmLabel={t(`network.httpsConfirm.${kind}.action`)}
            isSafe={kind !== "off"}
            onConfirm={async () => {
              await save(next);
              if (!desktop) followScheme(network, next.use !== "off");
            }}
            onClose={() => setConfirming(false)}
          >
            {t(`network.httpsConfirm.${kind}.text`)}
          </ConfirmDialog>
        )}
      </PageSection>
    </div>
  );
}

/** How to get a certificate for an own domain or a Tailscale name. */
function FilesHelp() {
  const { t } = useTranslation();
  return (
    <Stack component="section" gap="xs" mt="md" aria-label={t("network.httpsFilesHelp")}>
      <Title order={4} size="sm">
        {t("network.httpsFilesHelp")}
      </Title>
      <Hint>{t("network.httpsFilesDomain")}</Hint>
      <Hint>{t("network.httpsFilesTailscale")}</Hint>
      <CopyableCode>{TAILSCALE_COMMAND}</CopyableCode>
      <Hint>{t("network.httpsFilesThen")}</Hint>
    </Stack>
  );
}

const TAILSCALE_COMMAND = "tailscale cert --cert-file hearth.crt --key-file hearth.key computer.tailnet.ts.net";

function Certificate({ network: { https, listening }, endsAt }: { network: Network; endsAt: number }) {
  const { t } = useTranslation();
  const uncovered = listening.addresses
    .map(({ url }) => new URL(url).hostname.replace(/^\[|\]$/g, ""))
    .filter((address) => https.use === "local authority" && !https.names.includes(address));
  const time = dayAndTime(endsAt);
  return (
    <Facts labelWidth="10rem">
      <Fact label={t("network.httpsNames")}>
        <span dir="ltr">{https.names.join(", ")}</span>
        {uncovered.length > 0 && (
          <StatusText tone="warning">{t("network.httpsUncovered", { addresses: uncovered.join(", ") })}</StatusText>
        )}
      </Fact>
      <Fact label={t("network.httpsEnds")}>
        {https.use === "local authority" ? (
          t("network.httpsRenewed", { time })
        ) : (
          <StatusText tone={endsAt - Date.now() < EXPIRY_WARNING_MS ? "warning" : "good"}>{time}</StatusText>
        )}
      </Fact>
    </Facts>
  );
}

/** Automatic renewals happen about a month before the expiry. */
const EXPIRY_WARNING_MS = 14 * 86_400_000;

function Root({ network, root }: { network: Network; root: NonNullable<Network["https"]["root"]> }) {
  const { t } = useTranslation();
  const [address] = network.listening.addresses;
  if (!address) return null;
  // Over HTTP, a device gets the page that explains how to trust the root.
  const url = address.url.replace(/^https:/, "http:");
  return (
    <Group component="section" align="start" gap="1rem 1.5rem" aria-label={t("network.httpsRoot")}>
      <Stack gap="xs" flex="1 1 18rem" miw={0}>
        <Title order={3} size="sm">
          {t("network.httpsRoot")}
        </Title>
        <Hint>{t("network.httpsRootHint")}</Hint>
        <CopyableCode>{url}</CopyableCode>
        <Box fz="sm">
          <Hint>{t("network.httpsFingerprint")}</Hint>
          <Fingerprint>{root.fingerprint}</Fingerprint>
        </Box>
      </Stack>
      <Box flex="0 0 9rem">
        <QrCode text={url} />
      </Box>
    </Group>
  );
}

/**
 * Loads the page over the new kind of connection, except on this computer and behind a proxy. For HTTPS, the server
 * answers the reload with the trust page or a redirect.
 */
function followScheme({ listening }: Network, isHttps: boolean): void {
  const { location } = window;
  if (location.port !== String(listening.port) || isLocalHost(location.hostname)) return;
  if (isHttps && location.protocol === "http:") location.reload();
  if (!isHttps && location.protocol === "https:")
    location.assign(`http://${location.host}${location.pathname}${location.hash}`);
}
