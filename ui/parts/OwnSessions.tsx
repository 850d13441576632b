import { useWindowEvent } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WireSession } from "../../server/api/presenters/sessions.ts";
import { useClient } from "../api/client-context.ts";
import { errorMessage } from "./error-messages.ts";
import { SessionList } from "./SessionList.tsx";
import { Hint } from "./text/Hint.tsx";

const KEY = ["GET /host/sessions"];

/** The user's sessions. No event announces a sign-in, so the list loads again when the window gets the focus. */
export function OwnSessions({ label }: { label: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call("GET /host/sessions", {}, signal),
    staleTime: 0,
  });
  const loadAgain = () => queries.invalidateQueries({ queryKey: KEY });
  useWindowEvent("focus", () => void loadAgain());
  const ending = useMutation({
    mutationFn: ({ id }: WireSession) => client.call("DELETE /host/sessions/{session_id}", { session_id: id }),
    onSettled: loadAgain,
  });
  const sessions = data?.sessions;
  const failure = ending.error ?? error;
  const outcome = failure ? errorMessage(failure) : ending.isSuccess && t("sessions.ended");
  return (
    <>
      {sessions && sessions.length > 0 && <SessionList label={label} sessions={sessions} onEnd={ending.mutate} />}
      {sessions?.length === 0 && <Hint>{t("sessions.none")}</Hint>}
      <Hint role="status">{outcome}</Hint>
    </>
  );
}
