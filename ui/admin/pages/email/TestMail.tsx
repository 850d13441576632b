import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { Form } from "../../../parts/Form.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";

/** Sends a test mail, and shows the error of the mail server. */
export function TestMail({ onSent }: { onSent(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [result, setResult] = useState<Answer<"POST /host/mail/test">>();
  const submission = useSubmit({
    fields: ["to"],
    check: () => ({}),
    async send({ to }) {
      setResult(undefined);
      setResult(await client.call("POST /host/mail/test", to.trim() ? { to: to.trim() } : {}));
      onSent();
    },
  });
  return (
    <>
      <Form submission={submission}>
        <TextInput
          name="to"
          type="email"
          label={t("email.testTo")}
          description={t("email.testHint")}
          error={submission.errors.to}
          dir="ltr"
        />
        <div>
          <BusyButton type="submit" variant="default" busy={submission.busy}>
            {t("email.testSend")}
          </BusyButton>
        </div>
      </Form>
      {result && (
        <Callout tone={result.problem ? "error" : "info"} role={result.problem ? "alert" : "status"}>
          {result.problem
            ? problemInWords(result.problem as Parameters<typeof problemInWords>[0])
            : t("email.testSent", { email: result.to })}
        </Callout>
      )}
    </>
  );
}
