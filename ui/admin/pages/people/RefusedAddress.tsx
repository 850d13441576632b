import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import { useWrite } from "../../use-write.ts";

/** Says that the mail server refuses the person's address. */
export function RefusedAddress({ userId, name }: { userId: number; name: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const sendsEmail = useOrganization((state) => state.realm_sends_email === true);
  const { data } = useAnswer(
    "GET /host/failing-addresses",
    {},
    { changedBy: ["failing_address", "realm_user"], isAlwaysStale: true, isEnabled: sendsEmail },
  );
  const refused = data?.failing_addresses.find(({ user_id }) => user_id === userId);
  if (!refused || !sendsEmail) return null;
  const retry = () =>
    write({
      run: () => client.call("DELETE /host/failing-addresses/{user_id}", { user_id: userId }),
      done: t("people.mailRetried", { name }),
    });
  return (
    <Callout
      tone="warning"
      action={
        <Button size="compact-sm" variant="default" onClick={retry}>
          {t("people.mailRetry")}
        </Button>
      }
    >
      {t("people.mailRefused", { name, response: refused.response ?? "" })}
    </Callout>
  );
}
