import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WireSession } from "../../server/api/presenters/sessions.ts";
import { useClient } from "../api/client-context.ts";
import { errorMessage } from "./error-messages.ts";
import { SessionList } from "./SessionList.tsx";
import { Hint } from "./text/Hint.tsx";

/** The user's sessions. No event announces a sign-in, so the list loads again when the window gets the focus. */
export function OwnSessions({ label }: { label: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [sessions, setSessions] = useState<readonly WireSession[]>();
  const [outcome, setOutcome] = useState<string>();

  const load = useCallback(
    () =>
      client.call("GET /host/sessions", {}).then(
        (answer) => setSessions(answer.sessions),
        (error: unknown) => setOutcome(errorMessage(error)),
      ),
    [client],
  );
  useEffect(() => {
    void load();
    const enter = () => void load();
    window.addEventListener("focus", enter);
    return () => window.removeEventListener("focus", enter);
  }, [load]);

  const end = async ({ id }: WireSession) => {
    try {
      await client.call("DELETE /host/sessions/{session_id}", { session_id: id });
      setOutcome(t("sessions.ended"));
    } catch (error) {
      setOutcome(errorMessage(error));
    }
    await load();
  };
  return (
    <>
      {sessions && sessions.length > 0 && (
        <SessionList label={label} sessions={sessions} onEnd={(session) => void end(session)} />
      )}
      {sessions?.length === 0 && <Hint>{t("sessions.none")}</Hint>}
      <Hint role="status">{outcome}</Hint>
    </>
  );
}
