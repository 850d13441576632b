import { Button, Tabs, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { mayManageHost } from "../../../api/session.ts";
import { useAdmin } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { Page } from "../../parts/Page.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { OUTGOING, useBotsById } from "./log-filters.ts";
import { ReceiptLog } from "./ReceiptLog.tsx";
import { ReplayFailed } from "./ReplayDialog.tsx";
import { SignatureHelp } from "./SignatureHelp.tsx";

const LOGS = ["sent", "received"] as const;

/** The logs of outgoing and incoming webhooks. */
export function WebhooksPage() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const [search, setSearch] = usePageSearch();
  const ownsOutgoing = [...useBotsById().values()].some(({ bot_type }) => bot_type === OUTGOING);
  const log = search.log === "received" ? "received" : "sent";
  // The other log has other statuses and triggers.
  const show = (chosen: string | null) =>
    setSearch({ log: chosen ?? undefined, state: undefined, trigger: undefined, service: undefined, sort: undefined });
  return (
    <Page
      title={t("webhooks.title")}
      description={t("webhooks.description")}
      actions={
        <>
          {log === "sent" && ownsOutgoing && (
            <Button variant="default" onClick={() => setSearch({ replay: "failed" })}>
              {t("webhooks.replay.failed")}
            </Button>
          )}
          <Button variant="default" onClick={() => setSearch({ help: "signatures" })}>
            {t("webhooks.help.button")}
          </Button>
        </>
      }
    >
      <Tabs value={log} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          {LOGS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`webhooks.log.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="sent">
          <DeliveryLog />
        </Tabs.Panel>
        <Tabs.Panel value="received">
          <ReceiptLog />
        </Tabs.Panel>
      </Tabs>
      {mayManageHost(session) && (
        <Text size="sm">
          <PageLink to="/network" search={{ open: "webhooks" }}>
            {t("webhooks.network")}
          </PageLink>
        </Text>
      )}
      {search.replay !== undefined && ownsOutgoing && <ReplayFailed onClose={() => setSearch({ replay: undefined })} />}
      {search.help !== undefined && <SignatureHelp onClose={() => setSearch({ help: undefined })} />}
    </Page>
  );
}
