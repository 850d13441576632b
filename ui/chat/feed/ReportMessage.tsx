import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskingDialog, FormButtons } from "../../parts/AskingDialog.tsx";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import classes from "./ReportMessage.module.css";

/** docs/protocol.md#message-reports */
const REASONS = ["spam", "harassment", "inappropriate", "norms", "other"] as const;

/** Reports a message to those who moderate. */
export function ReportMessage({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, page } = useChat();
  const [reason, setReason] = useState<(typeof REASONS)[number]>("spam");
  const [description, setDescription] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async () => {
    setBusy(true);
    try {
      const input = { message_id: messageId, report_type: reason, description };
      await chat.client.call("POST /messages/{message_id}/report", input);
      page.update((before) => ({ ...before, dialog: undefined, notice: t("messageMenu.reported") }));
    } catch (caught) {
      setError(errorMessage(caught));
      setBusy(false);
    }
  };
  return (
    <AskingDialog title={t("messageMenu.report")} onClose={onClose}>
      {(leave) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
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
          {error && (
            <Callout tone="error" role="alert">
              {error}
            </Callout>
          )}
          <Group gap="sm" mt="md">
            <FormButtons>
              <BusyButton type="submit" busy={busy}>
                {t("messageMenu.reportSend")}
              </BusyButton>
              <Button variant="default" onClick={leave}>
                {t("chat.cancel")}
              </Button>
            </FormButtons>
          </Group>
        </form>
      )}
    </AskingDialog>
  );
}
