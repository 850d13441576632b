import { Checkbox, NativeSelect, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { OFFERED_ROLES, type Role, roleHint, roleName } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { useRole } from "../../use-role.ts";
import type { SharedLink } from "../invitations/InvitationLink.tsx";
import { ENDS, type End, minutesUntil } from "../invitations/invitation-ends.ts";
import { namesOf } from "./people-for-task.ts";
import type { Person } from "./use-people.ts";

export interface InviteImportedProps {
  /** Imported people whom the user can invite. */
  people: readonly Person[];
  /** Number of chosen people who are skipped. */
  skipped?: number;
  onClose(): void;
  onCreated(links: readonly SharedLink[], isMailed: boolean): void;
}

/** The server's limit for one request. */
const BATCH = 250;

interface Values extends Record<string, unknown> {
  /** Empty: the role from the import. */
  role: string;
  end: End;
  send_emails: boolean;
}

/** Creates links with which imported people claim their accounts. */
export function InviteImported({ people, skipped = 0, onClose, onCreated }: InviteImportedProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { role: ownRole } = useRole();
  const sendsEmail = useOrganization((state) => state.realm_sends_email === true);
  const [only] = people.length === 1 ? people : [];

  const create = async ({ role, end, send_emails }: Values) => {
    const links: SharedLink[] = [];
    let isMailed = false;
    for (let at = 0; at < people.length; at += BATCH) {
      const { invitations } = await client.call("POST /host/claim-invitations", {
        user_ids: people.slice(at, at + BATCH).map(({ id }) => id),
        invite_expires_in_minutes: minutesUntil(end),
        send_emails,
        ...(role !== "" && { invite_as: Number(role) as Role }),
      });
      for (const { full_name, email, is_mailed, invite_link } of invitations) {
        links.push({ name: full_name, link: invite_link, email: email ?? undefined, isClaim: true });
        isMailed ||= is_mailed;
      }
    }
    onCreated(links, isMailed);
  };

  return (
    <FormDialog<Values>
      title={only ? t("importedPeople.inviteNamed", { name: only.name }) : t("importedPeople.inviteTitle")}
      submitLabel={t("importedPeople.create", { count: people.length })}
      initialValues={{ role: only ? String(only.user.role) : "", end: "10", send_emails: false }}
      onSubmit={create}
      onClose={onClose}
    >
      {(form) => {
        const { role } = form.getValues();
        return (
          <>
            <Text>{t("importedPeople.inviteLead", { count: people.length, names: namesOf(people, t) })}</Text>
            <Callout tone="warning">{t("importedPeople.private", { count: people.length })}</Callout>
            {skipped > 0 && <Callout tone="info">{t("importedPeople.skipped", { count: skipped })}</Callout>}
            <NativeSelect
              size="md"
              label={t("invitations.role")}
              description={role === "" ? undefined : roleHint(Number(role) as Role, t)}
              data={[
                ...(only ? [] : [{ value: "", label: t("importedPeople.sameRole") }]),
                // The server rejects roles above the user's own.
                ...OFFERED_ROLES.filter((value) => value >= ownRole).map((value) => ({
                  value: String(value),
                  label: roleName(value, t),
                })),
              ]}
              data-autofocus
              {...form.getInputProps("role")}
            />
            <NativeSelect
              size="md"
              label={t("invite.worksFor")}
              data={ENDS.map((days) => ({
                value: days,
                label: days === "" ? t("invitations.never") : t("invitations.days", { count: Number(days) }),
              }))}
              {...form.getInputProps("end")}
            />
            {sendsEmail && (
              <Checkbox
                label={t("invite.sendEmails")}
                description={t("importedPeople.sendHint")}
                {...form.getInputProps("send_emails", { type: "checkbox" })}
              />
            )}
          </>
        );
      }}
    </FormDialog>
  );
}
