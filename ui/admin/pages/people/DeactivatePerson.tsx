import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { useAnswer } from "../../use-answer.ts";
import { DeactivationEnds } from "./DeactivationEnds.tsx";
import type { Person } from "./use-people.ts";

export interface DeactivatePersonProps {
  person: Person;
  /** Undefined until the server responds. */
  account: Answer<"GET /host/users/{user_id}"> | undefined;
  onClose(): void;
}

/** Confirms a deactivation and counts what it ends. */
export function DeactivatePerson({ person: { id: user_id, name, groups }, account, onClose }: DeactivatePersonProps) {
  const { t } = useTranslation();
  const client = useClient();
  const users = useOrganization(({ realm_users }) => realm_users) ?? [];
  const invitations = useAnswer("GET /invites", {}, { changedBy: ["invites_changed"] });
  const ends = {
    bots: users.filter(({ bot_owner_id }) => bot_owner_id === user_id).length,
    groups: groups.length,
    invitations: invitations.data?.invites.filter((invite) => invite.invited_by_user_id === user_id).length ?? 0,
    sessions: account?.sessions.length ?? 0,
    scheduled: account?.scheduled_messages ?? 0,
  };
  return (
    <ConfirmDialog
      title={t("people.deactivateQuestion", { name })}
      confirmLabel={t("people.deactivate", { name })}
      onConfirm={async () => {
        await client.call("DELETE /users/{user_id}", { user_id });
        noticeDone(t("people.deactivatedDone", { name }), () =>
          client.call("POST /users/{user_id}/reactivate", { user_id }),
        );
      }}
      onClose={onClose}
    >
      {t("people.deactivateHint", { name })}
      <DeactivationEnds ends={ends} />
    </ConfirmDialog>
  );
}
