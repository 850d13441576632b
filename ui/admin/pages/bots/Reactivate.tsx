import { Box } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import type { BotRow } from "./bots.ts";

/** Says that a bot is deactivated, and offers to reactivate it. */
export function Reactivate({ row: { bot } }: { row: BotRow }) {
  const { t } = useTranslation();
  const client = useClient();
  const name = bot.full_name;
  const reactivation = useMutation({
    mutationFn: () => client.call("POST /users/{user_id}/reactivate", { user_id: bot.user_id }),
    onSuccess: () => noticeDone(t("bots.reactivate.done", { name })),
    onError: noticeError,
  });
  return (
    <Box mb="md">
      <Callout tone="info">
        <Hint mb="xs">{t("bots.reactivate.hint")}</Hint>
        <BusyButton size="compact-sm" busy={reactivation.isPending} onClick={() => reactivation.mutate()}>
          {t("bots.reactivate.button", { name })}
        </BusyButton>
      </Callout>
    </Box>
  );
}
