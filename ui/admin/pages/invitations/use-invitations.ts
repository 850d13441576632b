import { useMemo } from "react";
import type { Answer } from "../../../api/client.ts";
import { useAnswer } from "../../use-answer.ts";

/** An invitation that has not expired, with who made it and who came by it. Dates are in seconds since the epoch. */
export type Invitation = Answer<"GET /invites">["invites"][number] & Partial<Details>;
type Details = Omit<Answer<"GET /host/invitations">["invitations"][number], "id">;

export interface ListedInvitations {
  /** Newest first; undefined until the server has answered. */
  readonly invitations: readonly Invitation[] | undefined;
  readonly error: unknown;
  reload(): void;
}

/** Of a reusable link, nothing but the newcomer's `realm_user` event says that somebody came by it. */
const CHANGED_BY = ["invites_changed", "realm_user"] as const;

/** The invitations that the caller sees, live. */
export function useInvitations(): ListedInvitations {
  const invites = useAnswer("GET /invites", {}, { changedBy: CHANGED_BY });
  const details = useAnswer("GET /host/invitations", {}, { changedBy: CHANGED_BY });
  const invitations = useMemo(() => {
    if (!invites.data || !details.data) return undefined;
    const byId = new Map(details.data.invitations.map(({ id, ...rest }) => [id, rest]));
    return invites.data.invites.map((invitation) => ({ ...invitation, ...byId.get(invitation.id) })).reverse();
  }, [invites.data, details.data]);
  const reload = () => {
    void invites.refetch();
    void details.refetch();
  };
  return { invitations, error: invites.error ?? details.error, reload };
}
