import { useEffect, useState } from "react";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";

/** An invitation that has not expired, with who made it and who came by it. Dates are in seconds since the epoch. */
export type Invitation = Answer<"GET /invites">["invites"][number] & Partial<Details>;
type Details = Omit<Answer<"GET /host/invitations">["invitations"][number], "id">;

export interface ListedInvitations {
  /** Newest first; undefined until the server has answered. */
  invitations: readonly Invitation[] | undefined;
  error: unknown;
  reload(): void;
}

/**
 * The invitations that the caller sees. They are fetched again whenever `revision` changes: with each `invites_changed`
 * event, and when somebody has joined, of which a reusable link has no event.
 */
export function useInvitations(revision: string): ListedInvitations {
  const client = useClient();
  const [invitations, setInvitations] = useState<readonly Invitation[]>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `revision` or `attempt` asks again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    Promise.all([client.call("GET /invites", {}, signal), client.call("GET /host/invitations", {}, signal)]).then(
      ([{ invites }, { invitations: details }]) => {
        const byId = new Map(details.map(({ id, ...rest }) => [id, rest]));
        setInvitations(invites.map((invitation) => ({ ...invitation, ...byId.get(invitation.id) })).reverse());
        setError(undefined);
      },
      (failure: unknown) => {
        if (!signal.aborted) setError(failure);
      },
    );
    return () => controller.abort();
  }, [client, revision, attempt]);

  return { invitations, error, reload: () => setAttempt((count) => count + 1) };
}
