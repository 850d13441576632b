import type { TFunction } from "i18next";
import { useMemo } from "react";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { roleKey } from "../../../parts/settings/roles.ts";
import { useAnswer } from "../../use-answer.ts";
import type { SharedLink } from "./InvitationLink.tsx";

/** An invitation with its creator and the people who joined. Dates are in seconds since the epoch. */
export type Invitation = Answer<"GET /invites">["invites"][number] & Partial<Details>;
type Details = Omit<Answer<"GET /host/invitations">["invitations"][number], "id">;

export interface ListedInvitations {
  /** Newest first. Undefined until the server responds. */
  readonly invitations: readonly Invitation[] | undefined;
  readonly error: unknown;
  reload(): void;
}

/** Only the `realm_user` event of a new person shows that a reusable link was used. */
const CHANGED_BY = ["invites_changed", "realm_user"] as const;

/** The invitations that the user may see, live. */
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

/** Whom the invitation is for. */
export const invitationName = ({ claims, email, invited_as }: Invitation, t: TFunction): string =>
  claims?.full_name ?? email ?? t(`invitations.linkFor.${roleKey(invited_as)}`);

/** An invitation with its link, for InvitationDialog. */
export const sharedLink = (invitation: Invitation, link: string, t: TFunction): SharedLink => ({
  name: invitationName(invitation, t),
  link,
  ...(invitation.claims ? { isClaim: true } : { email: invitation.email }),
});

/** Returns the link of an invitation. Without a mail: the call that sends an invitation again reveals its link. */
export const useInvitationLink = () => {
  const client = useClient();
  return async ({ id: invite_id, link_url }: Invitation): Promise<string | undefined> =>
    link_url ??
    (await client.call("POST /invites/{invite_id}/resend", { invite_id, send_emails: false })).invitations[0]
      ?.invite_link;
};
