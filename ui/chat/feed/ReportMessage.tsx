import { Button, Group, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskingDialog, FormButtons } from "../../parts/AskingDialog.tsx";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import classes from "./MessageDialogs.module.css";

/** docs/protocol.md#message-reports */
const REASONS = ["spam", "harassment", "inappropriate", "norms", "other"] as const;

export function ReportMessage({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const [reason, setReason] = useState<(typeof REASONS)[number]>("spam");
  const [description, setDescription] = useState("");
  const report = useMutation({
    mutationFn: () => {
      const input = { message_id: messageId, report_type: reason, description };
      return chat.client.call("POST /messages/{message_id}/report", input);
    },
    onSuccess: () => page.update((before) => ({ ...before, dialog: undefined, notice: t("messageMenu.reported") })),
  });
  return (
    <AskingDialog title={t("messageMenu.report")} onClose={onClose}>
      {(leave) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!report.isPending) report.mutate();
          }}
        >
          <fieldset className={classes.reasons}>
            <legend>{t("messageMenu.reportWhy")}</legend>
            {REASONS.map((one) => (
              <label key={one}>
                <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
                {t(`messageMenu.reasons.${one}`)}
              </label>
            ))}
          </fieldset>
          <Textarea
            label={t("messageMenu.reportMore")}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            maxLength={1000}
            autosize={false}
            rows={3}
          />
          {report.error && (
            <Callout tone="error" role="alert">
              {errorMessage(report.error)}
            </Callout>
          )}
          <Group gap="sm" mt="md" justify="end">
            <FormButtons>
              <Button variant="default" onClick={leave}>
                {t("chat.cancel")}
              </Button>
              <BusyButton type="submit" busy={report.isPending}>
                {t("messageMenu.reportSend")}
              </BusyButton>
            </FormButtons>
          </Group>
        </form>
      )}
    </AskingDialog>
  );
}
