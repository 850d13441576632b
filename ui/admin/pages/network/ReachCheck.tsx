import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage, inWords } from "../../../parts/error-messages.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import classes from "./NetworkPage.module.css";

type Reach = Answer<"POST /host/network/check">;
type Network = Answer<"GET /host/network">;

/** "Can others reach me?", as far as the machine itself can tell, and what to try where it cannot. */
export function ReachCheck({ network: { listening } }: { network: Network }) {
  const { t } = useTranslation();
  const client = useClient();
  const [reach, setReach] = useState<Reach>();
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<string>();
  const check = async () => {
    setChecking(true);
    setError(undefined);
    try {
      setReach(await client.call("POST /host/network/check", {}));
    } catch (refused) {
      setError(errorMessage(refused));
    } finally {
      setChecking(false);
    }
  };
  return (
    <PageSection title={t("network.check")} description={t("network.checkLead")}>
      {listening.lan ? (
        <div>
          <BusyButton busy={isChecking} variant="default" onClick={() => void check()}>
            {t("network.checkNow")}
          </BusyButton>
        </div>
      ) : (
        <p className={classes.hint}>{t("network.checkLocal")}</p>
      )}
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <div role="status">{reach && <Findings reach={reach} port={listening.port} />}</div>
    </PageSection>
  );
}

function Findings({ reach: { addresses, firewall, other_machine_at }, port }: { reach: Reach; port: number }) {
  const { t } = useTranslation();
  return (
    <div className={classes.findings}>
      {addresses.length === 0 && <StatusText tone="bad">{t("network.checkNone")}</StatusText>}
      <ul>
        {addresses.map(({ url, interface: name, problem }) => (
          <li key={url}>
            <StatusText tone={problem === null ? "good" : "bad"}>
              <bdi dir="ltr">{url}</bdi> {t("connect.via", { interface: name })}{" "}
              {problem === null ? t("network.checkGood") : t("network.checkBad", { problem: inWords(problem) })}
            </StatusText>
          </li>
        ))}
      </ul>
      {other_machine_at === null ? (
        <StatusText tone="warning">{t("network.checkUnseen")}</StatusText>
      ) : (
        <StatusText tone="good">
          <Seen at={other_machine_at} />
        </StatusText>
      )}
      <p className={classes.hint}>
        {firewall.kind === "ufw" && firewall.is_on === false
          ? t("network.checkFirewall.ufwOff")
          : t(`network.checkFirewall.${firewall.kind}`, { port })}
      </p>
      {firewall.command !== null && firewall.is_on !== false && <CopyableCode>{firewall.command}</CopyableCode>}
      <p className={classes.hint}>{t("network.checkRouter")}</p>
    </div>
  );
}

function Seen({ at }: { at: number }) {
  const { t } = useTranslation();
  const [before = "", after = ""] = t("network.checkSeen", { time: "\u0000" }).split("\u0000");
  return (
    <>
      {before}
      <RelativeTime at={at} />
      {after}
    </>
  );
}
