import { Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";

type Reach = Answer<"POST /host/network/check">;
type Network = Answer<"GET /host/network">;

/** Checks whether other machines can reach the server, as far as this machine can tell. */
export function ReachCheck({ network: { listening } }: { network: Network }) {
  const { t } = useTranslation();
  const client = useClient();
  const check = useMutation({ mutationFn: () => client.call("POST /host/network/check", {}) });
  return (
    <PageSection title={t("network.check")} description={t("network.checkLead")}>
      {listening.lan ? (
        <div>
          <BusyButton busy={check.isPending} variant="default" onClick={() => check.mutate()}>
            {t("network.checkNow")}
          </BusyButton>
        </div>
      ) : (
        <Hint>{t("network.checkLocal")}</Hint>
      )}
      {check.error && (
        <Callout tone="error" role="alert">
          {errorMessage(check.error)}
        </Callout>
      )}
      <div role="status">{check.data && <Findings reach={check.data} port={listening.port} />}</div>
    </PageSection>
  );
}

function Findings({ reach: { addresses, firewall, other_machine_at }, port }: { reach: Reach; port: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      {addresses.length === 0 && <StatusText tone="bad">{t("network.checkNone")}</StatusText>}
      <PlainList>
        {addresses.map(({ url, interface: name, problem, profile }) => (
          <li key={url}>
            <StatusText tone={problem === null ? "good" : "bad"}>
              <bdi dir="ltr">{url}</bdi> {t("connect.via", { interface: name })}{" "}
              {profile && `${t(`network.checkProfile.${profile}`)} `}
              {problem === null ? t("network.checkGood") : t("network.checkBad", { problem: problemInWords(problem) })}
            </StatusText>
          </li>
        ))}
      </PlainList>
      {other_machine_at === null ? (
        <StatusText tone="warning">{t("network.checkUnseen")}</StatusText>
      ) : (
        <StatusText tone="good">
          <Seen at={other_machine_at} />
        </StatusText>
      )}
      <Hint>
        {firewall.kind === "ufw" && firewall.is_on === false
          ? t("network.checkFirewall.ufwOff")
          : t(`network.checkFirewall.${firewall.kind}`, { port })}
      </Hint>
      {addresses.some(({ profile }) => profile === "public") && <Hint>{t("network.checkPublic")}</Hint>}
      {firewall.is_on !== false &&
        firewall.commands.map((command) => <CopyableCode key={command}>{command}</CopyableCode>)}
      <Hint>{t("network.checkRouter")}</Hint>
    </Stack>
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
