import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import type { Invitation } from "./use-invitations.ts";

export interface RevokeInvitationProps {
  invitation: Invitation;
  onClose(): void;
  onRevoked(): void;
}

/** Asks for confirmation: a revoked link never comes back. */
export function RevokeInvitation({ invitation, onClose, onRevoked }: RevokeInvitationProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { id: invite_id, email, is_multiuse } = invitation;

  const revoke = async () => {
    setError(undefined);
    setBusy(true);
    try {
      if (is_multiuse) await client.call("DELETE /invites/multiuse/{invite_id}", { invite_id });
      else await client.call("DELETE /invites/{invite_id}", { invite_id });
      onRevoked();
    } catch (caught) {
      setError(errorMessage(caught));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={email === undefined ? t("invitations.revokeTitle") : t("invitations.revokeTitleFor", { email })}
      onClose={onClose}
    >
      <p>{t(is_multiuse ? "invitations.revokeLead" : "invitations.revokeLeadOne")}</p>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Group justify="end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("invitations.keep")}
        </Button>
        <BusyButton color="red" busy={busy} onClick={revoke}>
          {t("invitations.revokeAction")}
        </BusyButton>
      </Group>
    </Dialog>
  );
}
