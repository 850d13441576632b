import { Button, Select, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { download } from "../../../parts/download.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { CodeBlock } from "../../parts/CodeBlock.tsx";
import classes from "../../parts/details.module.css";
import { SecretField } from "../../parts/SecretField.tsx";
import { useServerAddress } from "../../server-address.ts";
import type { BotRow } from "./bots.ts";
import { curlCommand } from "./curl.ts";

/** Shows how a program signs in as the bot. */
export function BotConnect({ row: { bot } }: { row: BotRow }) {
  const { t } = useTranslation();
  const client = useClient();
  const address = useServerAddress();
  const channels = useOrganization(({ streams }) => streams);
  const names = (channels ?? []).filter(({ is_archived }) => !is_archived).map(({ name }) => name);
  const [chosen, setChosen] = useState<string | null>(null);
  const channel = chosen ?? bot.default_sending_stream ?? names[0] ?? "general";
  const name = bot.full_name;
  const command = (key: string) =>
    curlCommand({
      address,
      email: bot.email,
      key,
      channel,
      topic: t("bots.connect.topic"),
      content: t("bots.connect.greeting", { name }),
    });

  const configuration = useMutation({
    mutationFn: () => client.call("GET /host/bots/{bot_id}/zuliprc", { bot_id: bot.user_id }),
    // With a text type, browsers would append .txt to the name.
    onSuccess: ({ file_name, content }) => download(file_name, content, "application/octet-stream"),
    onError: noticeError,
  });

  return (
    <div className={classes.panel}>
      <div className={classes.section}>
        <div>
          <Title order={3}>{t("bots.connect.email")}</Title>
          <CopyableCode>{bot.email}</CopyableCode>
        </div>
        <SecretField
          label={t("bots.connect.key")}
          help={t("bots.connect.keyHint")}
          value={bot.api_key}
          replacing={{
            title: t("bots.connect.replaceKey", { name }),
            consequences: t("bots.connect.replaceKeyLoss"),
            replace: async () => {
              await client.call("POST /bots/{bot_id}/api_key/regenerate", { bot_id: bot.user_id });
              noticeDone(t("bots.connect.keyReplaced", { name }));
            },
          }}
        />
      </div>
      <div className={classes.section}>
        <div>
          <Title order={3}>{t("bots.connect.file")}</Title>
          <Hint>{t("bots.connect.fileHint")}</Hint>
        </div>
        <div>
          <Button
            size="sm"
            variant="default"
            leftSection={<Download size="1rem" aria-hidden="true" />}
            onClick={() => configuration.mutate()}
          >
            {t("bots.connect.download")}
          </Button>
        </div>
      </div>
      <div className={classes.section}>
        <div>
          <Title order={3}>{t("bots.connect.curl")}</Title>
          <Hint>{t("bots.connect.curlHint")}</Hint>
        </div>
        <Select
          label={t("bots.connect.channel")}
          data={names.includes(channel) ? names : [channel, ...names]}
          value={channel}
          searchable
          allowDeselect={false}
          onChange={setChosen}
        />
        <CodeBlock label={t("bots.connect.curlLabel")} copied={command(bot.api_key)}>
          {command("…")}
        </CodeBlock>
      </div>
    </div>
  );
}
