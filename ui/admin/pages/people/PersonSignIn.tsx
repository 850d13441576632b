import { Box, Button, Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireSession } from "../../../../server/api/presenters/sessions.ts";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { duration } from "../../../parts/format.ts";
import { QrCode } from "../../../parts/QrCode.tsx";
import { SessionList } from "../../../parts/SessionList.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { OWNER } from "../../../parts/settings/roles.ts";
import { useAdmin } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { isLocalLink, LocalLinkWarning } from "../../parts/LocalLink.tsx";
import { useAnswer } from "../../use-answer.ts";
import { useWrite } from "../../use-write.ts";
import { DeactivatePerson } from "./DeactivatePerson.tsx";
import { OwnerPassword } from "./OwnerPassword.tsx";
import type { Person } from "./use-people.ts";

/** A person's password reset link, sessions and account status. */
export function PersonSignIn({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const { desktop } = useAdmin();
  const { id: user_id, name, user } = person;
  const account = useAnswer(
    "GET /host/users/{user_id}",
    { user_id },
    { changedBy: ["realm_user", "presence", "sign_ins"], isAlwaysStale: true },
  );
  const [dialog, setDialog] = useState<"end" | "deactivate">();
  const link = useMutation({
    mutationFn: () => client.call("POST /host/sign-in-links", { user_id }),
    onError: (error) => noticeError(error),
  });
  const reactivate = () =>
    write({
      run: () => client.call("POST /users/{user_id}/reactivate", { user_id }),
      done: t("people.reactivated", { name }),
    });
  const endSession = ({ id: session_id }: WireSession) =>
    write(
      {
        run: () => client.call("DELETE /host/sessions/{session_id}", { session_id }),
        done: t("people.sessionEnded", { name }),
      },
      { onSettled: () => void account.refetch() },
    );

  if (!user.is_active)
    return (
      <section className={classes.section}>
        <h3>{t("people.reactivateTitle")}</h3>
        {account.data && <p>{t("people.reactivateHint", { name, count: account.data.channel_ids.length })}</p>}
        <div>
          <Button onClick={reactivate}>{t("people.reactivate", { name })}</Button>
        </div>
      </section>
    );

  const sessions = account.data?.sessions ?? [];
  return (
    <>
      <section className={classes.section}>
        <h3>{t("people.linkTitle")}</h3>
        <p>{t("people.linkHint", { name })}</p>
        {link.data ? (
          <>
            <CopyableCode>{link.data.link}</CopyableCode>
            {isLocalLink(link.data.link) ? (
              <LocalLinkWarning />
            ) : (
              <Box w="min(14rem, 100%)">
                <QrCode text={link.data.link} />
              </Box>
            )}
            <p>{t("people.linkEnds", { time: duration(link.data.expires_in_seconds * 1000) })}</p>
          </>
        ) : (
          <div>
            <BusyButton busy={link.isPending} variant="default" onClick={() => link.mutate()}>
              {t("people.makeLink")}
            </BusyButton>
          </div>
        )}
      </section>
      {desktop && user.role === OWNER && !user.is_bot && (
        <OwnerPassword person={person} onDone={() => void account.refetch()} />
      )}
      <section className={classes.section}>
        <h3>{t("people.sessionsTitle")}</h3>
        {!account.data && account.error && <Callout tone="error">{errorMessage(account.error)}</Callout>}
        {!account.data && !account.error && <Skeleton height="5rem" />}
        {account.data && (
          <>
            <p>{sessions.length > 0 ? t("people.sessions", { count: sessions.length }) : t("people.noSessions")}</p>
            {sessions.length > 0 && (
              <SessionList label={t("people.sessionsTitle")} sessions={sessions} onEnd={endSession} />
            )}
            <p>{t("people.apps", { count: account.data.listening })}</p>
          </>
        )}
        <div>
          <Button variant="default" onClick={() => setDialog("end")}>
            {t("people.endSessions")}
          </Button>
        </div>
      </section>
      <section className={classes.section}>
        <h3>{t("people.deactivateTitle")}</h3>
        <p>{t("people.deactivateHint", { name })}</p>
        <div>
          <Button variant="outline" color="red" onClick={() => setDialog("deactivate")}>
            {t("people.deactivate", { name })}
          </Button>
        </div>
      </section>
      {dialog === "end" && (
        <ConfirmDialog
          title={t("people.endSessionsTitle", { name })}
          confirmLabel={t("people.endSessions")}
          onConfirm={async () => {
            await client.call("POST /host/key-revocations", { user_id });
            void account.refetch();
            noticeDone(t("people.sessionsEnded", { name }));
          }}
          onClose={() => setDialog(undefined)}
        >
          {t("people.endSessionsHint", { count: sessions.length })}
        </ConfirmDialog>
      )}
      {dialog === "deactivate" && (
        <DeactivatePerson person={person} account={account.data} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
