import { Button, Skeleton } from "@mantine/core";
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
import { useAnswer } from "../../use-answer.ts";
import { DeactivatePerson } from "./DeactivatePerson.tsx";
import { OwnerPassword } from "./OwnerPassword.tsx";
import ownClasses from "./PersonDrawer.module.css";
import type { Person } from "./use-people.ts";

/** How a person gets in: a link for a new password, what is signed in, and whether they may at all. */
export function PersonSignIn({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const { desktop } = useAdmin();
  const { id: user_id, name, user } = person;
  const account = useAnswer(
    "GET /host/users/{user_id}",
    { user_id },
    { changedBy: ["realm_user", "presence", "sign_ins"], isAlwaysStale: true },
  );
  const [link, setLink] = useState<{ link: string; expires_in_seconds: number }>();
  const [isMaking, setMaking] = useState(false);
  const [dialog, setDialog] = useState<"end" | "deactivate">();

  const makeLink = async () => {
    setMaking(true);
    try {
      setLink(await client.call("POST /host/sign-in-links", { user_id }));
    } catch (error) {
      noticeError(error);
    } finally {
      setMaking(false);
    }
  };
  const reactivate = async () => {
    try {
      await client.call("POST /users/{user_id}/reactivate", { user_id });
      noticeDone(t("people.reactivated", { name }));
    } catch (error) {
      noticeError(error);
    }
  };

  const endOne = async (session: WireSession) => {
    try {
      await client.call("DELETE /host/sessions/{session_id}", { session_id: session.id });
      noticeDone(t("people.sessionEnded", { name }));
    } catch (error) {
      noticeError(error);
    }
    void account.refetch();
  };

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
        {link ? (
          <div className={ownClasses.link}>
            <CopyableCode>{link.link}</CopyableCode>
            <div className={ownClasses.qr}>
              <QrCode text={link.link} />
            </div>
            <p>{t("people.linkEnds", { time: duration(link.expires_in_seconds * 1000) })}</p>
          </div>
        ) : (
          <div>
            <BusyButton busy={isMaking} variant="default" onClick={makeLink}>
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
              <SessionList
                label={t("people.sessionsTitle")}
                sessions={sessions}
                onEnd={(session) => void endOne(session)}
              />
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
