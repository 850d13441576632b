import { Button, Radio, TextInput } from "@mantine/core";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Answer, Refusal } from "../../../api/client.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { dayAndTime } from "../../../parts/format.ts";
import { QrCode } from "../../../parts/QrCode.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { useAdmin } from "../../admin-context.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import classes from "./NetworkPage.module.css";

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
  /** Set by an environment variable. */
  isFixed: boolean;
  onChange(setting: Setting): Promise<void>;
}

/** Whether what people send is encrypted, with whose certificate, and how a device comes to trust it. */
export function HttpsSection({ network, setting, isFixed, onChange }: HttpsSectionProps) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const [use, setUse] = useState<Setting["use"]>(setting.use);
  const [files, setFiles] = useState(setting.use === "files" ? setting : { certificate: "", key: "" });
  const [isConfirming, setConfirming] = useState(false);
  const { certificate, key } = files;
  const next: Setting = use === "files" ? { use, certificate: certificate.trim(), key: key.trim() } : { use };
  const isChanged = JSON.stringify(next) !== JSON.stringify(setting);
  const isComplete = next.use !== "files" || (next.certificate !== "" && next.key !== "");
  const { https } = network;
  const inWords = ({ code, file, detail }: CertificateProblem) => t(`network.httpsRefused.${code}`, { file, detail });
  const save = (setting: Setting) =>
    onChange(setting).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error.data["refusal"] : undefined;
      throw refusal ? new Error(inWords(refusal as CertificateProblem)) : error;
    });
  return (
    <PageSection title={t("network.https")} description={t("network.httpsLead")}>
      <form
        className={classes.https}
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
          <div className={classes.choices}>
            {CHOICES.map(({ use: value, label, hint }) => (
              <Radio key={value} value={value} label={t(label)} description={t(hint)} disabled={isFixed} />
            ))}
          </div>
        </Radio.Group>
        {use === "files" && (
          <div className={classes.choices}>
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
          </div>
        )}
        {isChanged && (
          <div>
            <Button type="submit" disabled={!isComplete}>
              {t("network.httpsSave")}
            </Button>
          </div>
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
          title={t("network.httpsConfirm")}
          confirmLabel={t("network.httpsSave")}
          onConfirm={async () => {
            await save(next);
            if (!desktop) followScheme(network, next.use !== "off");
          }}
          onClose={() => setConfirming(false)}
        >
          {t(next.use === "off" ? "network.httpsConfirmOff" : "network.httpsConfirmOn")}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

function Certificate({ network: { https, listening }, endsAt }: { network: Network; endsAt: number }) {
  const { t } = useTranslation();
  const uncovered = listening.addresses
    .map(({ url }) => new URL(url).hostname.replace(/^\[|\]$/g, ""))
    .filter((address) => https.use === "local authority" && !https.names.includes(address));
  const time = dayAndTime(endsAt);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t("network.httpsNames")}</dt>
        <dd>
          <span dir="ltr">{https.names.join(", ")}</span>
          {uncovered.length > 0 && (
            <StatusText tone="warning">{t("network.httpsUncovered", { addresses: uncovered.join(", ") })}</StatusText>
          )}
        </dd>
      </div>
      <div>
        <dt>{t("network.httpsEnds")}</dt>
        <dd>
          {https.use === "local authority" ? (
            t("network.httpsRenewed", { time })
          ) : (
            <StatusText tone={endsAt - Date.now() < WARNED_MS ? "warning" : "good"}>{time}</StatusText>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Whoever renews certificates does so a month before their end. */
const WARNED_MS = 14 * 86_400_000;

function Root({ network, root }: { network: Network; root: NonNullable<Network["https"]["root"]> }) {
  const { t } = useTranslation();
  const [address] = network.listening.addresses;
  if (!address) return null;
  // By plain HTTP: a device that does not trust Hearth yet would warn of the very page that ends the warnings.
  const url = `${address.url.replace(/^https:/, "http:")}${root.path}`;
  return (
    <section className={classes.root} aria-label={t("network.httpsRoot")}>
      <div>
        <h3>{t("network.httpsRoot")}</h3>
        <p className={classes.hint}>{t("network.httpsRootHint")}</p>
        <CopyableCode>{url}</CopyableCode>
        <dl className={classes.facts}>
          <div>
            <dt>{t("network.httpsFingerprint")}</dt>
            <dd className={classes.fingerprint} dir="ltr">
              {root.fingerprint.split(":").map((byte, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: bytes stay where they are
                <Fragment key={index}>
                  {index > 0 && ":"}
                  <wbr />
                  {byte}
                </Fragment>
              ))}
            </dd>
          </div>
        </dl>
      </div>
      <div className={classes.rootCode}>
        <QrCode text={url} />
      </div>
    </section>
  );
}

/** A page of another machine goes on at the address that counts from now on; one behind a proxy stays where it is. */
function followScheme({ listening }: Network, isHttps: boolean): void {
  const { location } = window;
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  if (location.port !== String(listening.port) || isLocal) return;
  const protocol = isHttps ? "https:" : "http:";
  if (location.protocol !== protocol)
    location.assign(`${protocol}//${location.host}${location.pathname}${location.hash}`);
}
