import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { PasswordField } from "../../../parts/PasswordField.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import classes from "../../parts/details.module.css";
import { LastRequests } from "../../parts/LastRequests.tsx";
import { PageLink } from "../../parts/PageLink.tsx";
import { SecretField } from "../../parts/SecretField.tsx";
import type { BotRow, WebhookSettings } from "./bots.ts";

/** The webhook of a bot: its URL, its secret and its last requests. */
export function IncomingWebhook({ row, settings }: { row: BotRow; settings: WebhookSettings }) {
  const { t } = useTranslation();
  const { bot } = row;
  return (
    <div className={classes.panel}>
      <div className={classes.section}>
        <div>
          <Title order={3}>{t("bots.incoming.address")}</Title>
          <Hint>{t("bots.incoming.addressHint")}</Hint>
        </div>
        <Hint>
          <PageLink to="/integrations" search={{ bot: String(bot.user_id), open: settings.integration ?? undefined }}>
            {t("bots.incoming.build")}
          </PageLink>
        </Hint>
      </div>
      <div className={classes.section}>
        <SenderSecret row={row} settings={settings} />
      </div>
      <div className={classes.section}>
        <Title order={3}>{t("bots.incoming.last")}</Title>
        <LastRequests of={{ bot_ids: [bot.user_id] }} search={{ bot: String(bot.user_id) }} />
      </div>
    </div>
  );
}

function SenderSecret({ row: { bot }, settings }: { row: BotRow; settings: WebhookSettings }) {
  const { t } = useTranslation();
  const client = useClient();
  const [asks, setAsks] = useState<"secret" | "remove">();
  const { user_id: bot_id, full_name: name } = bot;
  const { webhook_secret: secret } = settings;
  const isUnreadable = settings.unreadable.includes("webhook_secret");
  const set = (webhook_secret: string) => client.call("PATCH /host/bots/{bot_id}", { bot_id, webhook_secret });
  const button = (what: "secret" | "remove", label: string) => (
    <Button size="xs" variant="default" disabled={!bot.is_active} onClick={() => setAsks(what)}>
      {label}
    </Button>
  );
  return (
    <>
      {secret === null && !isUnreadable ? (
        <>
          <div>
            <Title order={3}>{t("bots.incoming.secret")}</Title>
            <Hint>{t("bots.incoming.noSecret")}</Hint>
          </div>
          <div>{button("secret", t("bots.incoming.setSecret"))}</div>
        </>
      ) : (
        <SecretField
          label={t("bots.incoming.secret")}
          help={t("bots.incoming.secretHint")}
          value={secret ?? undefined}
          actions={
            <>
              {button("secret", t("bots.incoming.changeSecret"))}
              {button("remove", t("bots.incoming.removeSecret"))}
            </>
          }
        />
      )}
      {asks === "secret" && (
        <FormDialog
          title={t("bots.incoming.secretTitle", { name })}
          submitLabel={t("bots.incoming.saveSecret")}
          initialValues={{ webhook_secret: "" }}
          validate={{ webhook_secret: (given) => (given.trim() ? null : t("bots.incoming.secretMissing")) }}
          onSubmit={async ({ webhook_secret }) => {
            await set(webhook_secret.trim());
            noticeDone(t("bots.incoming.secretSaved"));
          }}
          onClose={() => setAsks(undefined)}
        >
          {(form) => (
            <PasswordField
              name="webhook_secret"
              label={t("bots.incoming.secretField")}
              description={t("bots.incoming.secretFieldHint")}
              autoComplete="new-password"
              error={form.errors["webhook_secret"]}
              onValue={(text) => form.setFieldValue("webhook_secret", text)}
            />
          )}
        </FormDialog>
      )}
      {asks === "remove" && (
        <ConfirmDialog
          title={t("bots.incoming.removeTitle")}
          confirmLabel={t("bots.incoming.removeConfirm")}
          onConfirm={async () => {
            await set("");
            noticeDone(t("bots.incoming.removed"));
          }}
          onClose={() => setAsks(undefined)}
        >
          {t("bots.incoming.removeLoss", { name })}
        </ConfirmDialog>
      )}
    </>
  );
}
