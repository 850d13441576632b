import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { type Invitation, invitationName } from "./use-invitations.ts";

export interface RevokeInvitationProps {
  invitation: Invitation;
  onClose(): void;
  onRevoked(): void;
}

/** Asks for confirmation, because a revoked link cannot be restored. */
export function RevokeInvitation({ invitation, onClose, onRevoked }: RevokeInvitationProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { id: invite_id, is_multiuse, claims } = invitation;

  const name = invitationName(invitation, t);
  const revoke = useMutation({
    mutationFn: (): Promise<unknown> =>
      is_multiuse
        ? client.call("DELETE /invites/multiuse/{invite_id}", { invite_id })
        : client.call("DELETE /invites/{invite_id}", { invite_id }),
    onSuccess: onRevoked,
  });
  return (
    <Dialog
      title={is_multiuse ? t("invitations.revokeTitle") : t("invitations.revokeTitleFor", { email: name })}
      onClose={onClose}
    >
      <p>
        {t(
          is_multiuse ? "invitations.revokeLead" : claims ? "invitations.revokeLeadClaim" : "invitations.revokeLeadOne",
        )}
      </p>
      {revoke.error && (
        <Callout tone="error" role="alert">
          {errorMessage(revoke.error)}
        </Callout>
      )}
      <Group justify="end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("invitations.keep")}
        </Button>
        <BusyButton color="red" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {t("invitations.revokeAction")}
        </BusyButton>
      </Group>
    </Dialog>
  );
}
