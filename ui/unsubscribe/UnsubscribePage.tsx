import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../api/client-context.ts";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import { BusyButton } from "../parts/BusyButton.tsx";
import { isTokenError } from "../parts/error-messages.ts";
import { Form } from "../parts/Form.tsx";
import { useSubmit } from "../parts/use-submit.ts";

/** The page of the link in mails about messages. It works without a sign-in. */
export function UnsubscribePage({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [step, setStep] = useState<"question" | "done" | "invalid">("question");
  const submission = useSubmit({
    fields: [],
    check: () => ({}),
    async send() {
      try {
        await client.call("POST /host/unsubscribe/{token}", { token: token || "-" });
        setStep("done");
      } catch (error) {
        if (!isTokenError(error)) throw error;
        setStep("invalid");
      }
    },
  });
  const toChat = (
    <Button component="a" href="/#settings/notifications" size="lg" mt="md" variant="default">
      {t("unsubscribe.settings")}
    </Button>
  );
  if (step !== "question")
    return (
      <AuthLayout
        title={t(`unsubscribe.${step}`)}
        lead={t(step === "done" ? "unsubscribe.doneHint" : "unsubscribe.invalidHint")}
        audience="members"
        takesFocus
      >
        {toChat}
      </AuthLayout>
    );
  return (
    <AuthLayout title={t("unsubscribe.title")} lead={t("unsubscribe.lead")} audience="members">
      <Form submission={submission}>
        <BusyButton type="submit" size="lg" busy={submission.busy}>
          {t("unsubscribe.submit")}
        </BusyButton>
      </Form>
    </AuthLayout>
  );
}
