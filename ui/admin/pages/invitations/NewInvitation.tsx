import { Checkbox, NativeSelect, SegmentedControl, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Input, Refusal } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { ReportedProblem } from "../../../locales/error-texts.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { allowedInvitations, type InvitationKind } from "../../../parts/allowed-invitations.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { MEMBER, OFFERED_ROLES, type Role, roleKey } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { GrantFields, type Grants, getsDefaults } from "../../parts/GrantFields.tsx";
import { useRole } from "../../use-role.ts";
import type { SharedLink } from "./InvitationLink.tsx";
import { ENDS, type End, minutesUntil } from "./invitation-ends.ts";

export interface NewInvitationProps {
  onClose(): void;
  /** Called with a reusable link, or a link for each email address and the reasons for rejected ones. */
  onCreated(links: readonly SharedLink[], result?: { refused?: string; isMailed?: boolean }): void;
}

interface Values extends Grants, Record<string, unknown> {
  kind: InvitationKind;
  invitee_emails: string;
  send_emails: boolean;
  end: End;
}

interface Invited {
  email: string;
  invite_link: string;
}

/** The links in an error response that rejects only some addresses. */
const linksOf = (error: unknown): Invited[] =>
  error instanceof Refusal && Array.isArray(error.data["invitations"]) ? (error.data["invitations"] as Invited[]) : [];

/** The rejected addresses with the server's reasons. */
function reasonsIn(error: unknown): string {
  if (!(error instanceof Refusal)) return "";
  const { errors = [], problems = [] } = error.data as { errors?: [string, string][]; problems?: ReportedProblem[] };
  return errors
    .map(
      ([email, msg], index) =>
        `${email}: ${problemInWords({ reason: "unknown", params: {}, msg, ...problems[index] })}`,
    )
    .join(" ");
}

/** Creates a reusable link, or a link for each email address. */
export function NewInvitation({ onClose, onCreated }: NewInvitationProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { role: ownRole } = useRole();
  // A primitive, so that events do not render the form again.
  const allowed = useOrganization((state) => allowedInvitations(state).join());
  const sendsEmail = useOrganization((state) => state.realm_sends_email === true);
  const kinds = allowed.split(",").filter(Boolean) as InvitationKind[];

  const send = async (values: Values) => {
    const granted: Input<"POST /invites/multiuse"> = {
      invite_as: values.invite_as,
      invite_expires_in_minutes: minutesUntil(values.end),
      include_realm_default_subscriptions: getsDefaults(values),
      stream_ids: values.stream_ids,
      group_ids: values.group_ids,
    };
    const passOn = (invited: readonly Invited[], result: { refused?: string; isMailed: boolean }) =>
      onCreated(
        invited.map(({ email, invite_link }) => ({ name: email, link: invite_link, email })),
        result,
      );
    if (values.kind === "link") {
      const { invite_link } = await client.call("POST /invites/multiuse", granted);
      const role = roleKey(values.invite_as);
      return onCreated([{ name: t(`invitations.linkFor.${role}`), link: invite_link }]);
    }
    try {
      const { invitee_emails, send_emails } = values;
      const done = await client.call("POST /invites", {
        ...granted,
        stream_ids: values.stream_ids,
        invitee_emails,
        send_emails,
      });
      passOn(done.invitations, { isMailed: done.emails_sent });
    } catch (error) {
      const reasons = reasonsIn(error);
      const links = linksOf(error);
      if (reasons === "") throw error;
      if (links.length === 0) throw new Refusal(400, { msg: reasons, var_name: "invitee_emails" });
      const isMailed = error instanceof Refusal && error.data["emails_sent"] === true;
      passOn(links, { refused: reasons, isMailed });
    }
  };

  return (
    <FormDialog<Values>
      title={t("invitations.action")}
      submitLabel={t("invite.make")}
      initialValues={{
        kind: kinds[0] ?? "link",
        invitee_emails: "",
        send_emails: true,
        invite_as: Math.max(ownRole, MEMBER) as Role,
        end: "10",
        defaults: true,
        stream_ids: [],
        group_ids: [],
      }}
      validate={{
        invitee_emails: (text, { kind }) => (kind === "email" && !text.trim() ? t("invite.missingEmails") : null),
      }}
      onSubmit={send}
      onClose={onClose}
    >
      {(form) => {
        const { kind, invite_as } = form.getValues();
        return (
          <>
            {kinds.length > 1 && (
              <SegmentedControl
                fullWidth
                aria-label={t("invite.kind")}
                data={kinds.map((value) => ({ value, label: t(`invite.${value}`) }))}
                {...form.getInputProps("kind")}
              />
            )}
            {kind === "email" && (
              <Textarea
                size="md"
                label={t("invite.emails")}
                description={t(sendsEmail ? "invite.emailsHintShort" : "invite.emailsHint")}
                autosize
                minRows={2}
                maxRows={8}
                data-autofocus
                {...form.getInputProps("invitee_emails")}
              />
            )}
            {kind === "email" && sendsEmail && (
              <Checkbox
                label={t("invite.sendEmails")}
                description={t("invite.sendEmailsHint")}
                {...form.getInputProps("send_emails", { type: "checkbox" })}
              />
            )}
            <GrantFields
              value={form.getValues()}
              onChange={(changed) => form.setValues(changed)}
              // The server rejects roles above the user's own.
              roles={OFFERED_ROLES.filter((role) => role >= ownRole)}
              roleHint={t(`invitations.roleHints.${roleKey(invite_as)}`)}
              errors={form.errors}
              isFirst={kind === "link"}
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
          </>
        );
      }}
    </FormDialog>
  );
}
