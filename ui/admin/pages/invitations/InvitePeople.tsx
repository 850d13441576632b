import { Button, Group } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { allowedInvitations } from "../../../parts/allowed-invitations.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { roleKey } from "../../../parts/settings/roles.ts";
import { useOrganization } from "../../admin-context.ts";
import { adminPart } from "../../admin-part.ts";
import type { PassedOn } from "./InvitationDialog.tsx";
import { InvitationList } from "./InvitationList.tsx";
import classes from "./InvitePeople.module.css";
import { type Invitation, useInvitations } from "./use-invitations.ts";

const InvitationDialog = adminPart(() =>
  import("./InvitationDialog.tsx").then((all) => ({ default: all.InvitationDialog })),
);
const NewInvitation = adminPart(() => import("./NewInvitation.tsx").then((all) => ({ default: all.NewInvitation })));

const RevokeInvitation = adminPart(() =>
  import("./RevokeInvitation.tsx").then((all) => ({ default: all.RevokeInvitation })),
);

export interface InvitePeopleProps {
  clockAhead: number;
  /** Other ways to let people in, beside the button. */
  children?: ReactNode;
}

type Opened =
  | { what: "form" }
  | { what: "links"; links: readonly PassedOn[]; refused?: string | undefined }
  | { what: "revoke"; invitation: Invitation };

/** How many invitations the collapsed list shows. */
const COLLAPSED_COUNT = 4;

/** Makes invitation links, and lists those that can still be used. */
export function InvitePeople({ clockAhead, children }: InvitePeopleProps) {
  const { t } = useTranslation();
  const client = useClient();
  const mayLink = useOrganization((state) => allowedInvitations(state).includes("link"));
  const { invitations, error: listError, reload } = useInvitations();
  const [opened, setOpened] = useState<Opened>();
  const [error, setError] = useState<string>();
  const [isExpanded, setExpanded] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const invite = useRef<HTMLButtonElement>(null);

  const open = (what: Opened, button: HTMLButtonElement) => {
    opener.current = button;
    setError(undefined);
    setOpened(what);
  };
  /** `what` is closed, unless another dialog has taken its place: the link, that of the form. */
  const close = (what: Opened["what"]) => {
    flushSync(() => setOpened((before) => (before?.what === what ? undefined : before)));
    // Somebody else may have revoked the invitation whose button it was.
    (opener.current?.isConnected ? opener : invite).current?.focus();
  };
  const show = async (invitation: Invitation, button: HTMLButtonElement) => {
    const name = invitation.email ?? t(`invitations.linkFor.${roleKey(invitation.invited_as)}`);
    const openLink = (link: string) =>
      open({ what: "links", links: [{ name, link, email: invitation.email }] }, button);
    if (invitation.link_url !== undefined) return openLink(invitation.link_url);
    try {
      const answer = await client.call("POST /invites/{invite_id}/resend", { invite_id: invitation.id });
      const link = answer.invitations[0]?.invite_link;
      if (link !== undefined) openLink(link);
    } catch (caught) {
      setError(errorMessage(caught));
    }
  };

  return (
    <>
      <p className={classes.lead}>{t(mayLink ? "invitations.lead" : "invite.emptyByEmail")}</p>
      <Group gap="xs">
        <Button
          ref={invite}
          aria-haspopup="dialog"
          leftSection={<UserPlus size="1.0625rem" aria-hidden="true" />}
          onClick={(event) => open({ what: "form" }, event.currentTarget)}
        >
          {t("invite.action")}
        </Button>
        {children}
      </Group>
      {(error ?? (listError ? errorMessage(listError) : undefined)) && (
        <Callout
          tone="error"
          role="alert"
          action={
            !error && (
              <Button size="compact-sm" variant="default" onClick={reload}>
                {t("invitations.tryAgain")}
              </Button>
            )
          }
        >
          {error ?? errorMessage(listError)}
        </Callout>
      )}
      {invitations && invitations.length > 0 && (
        <div className={classes.open}>
          <InvitationList
            invitations={isExpanded ? invitations : invitations.slice(0, COLLAPSED_COUNT)}
            clockAhead={clockAhead}
            onShow={show}
            onRevoke={(invitation, button) => open({ what: "revoke", invitation }, button)}
          />
          {invitations.length > COLLAPSED_COUNT && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setExpanded(!isExpanded)}
              aria-expanded={isExpanded}
            >
              {isExpanded ? t("invitations.fewer") : t("invitations.all", { count: invitations.length })}
            </Button>
          )}
        </div>
      )}
      {opened?.what === "form" && (
        <NewInvitation
          onClose={() => close("form")}
          onMade={(links, refused) => setOpened({ what: "links", links, refused })}
        />
      )}
      {opened?.what === "links" && <InvitationDialog {...opened} onClose={() => close("links")} />}
      {opened?.what === "revoke" && (
        <RevokeInvitation
          invitation={opened.invitation}
          onClose={() => close("revoke")}
          onRevoked={() => {
            opener.current = invite.current; // the button that was pressed goes with the invitation
            reload();
            close("revoke");
          }}
        />
      )}
    </>
  );
}
