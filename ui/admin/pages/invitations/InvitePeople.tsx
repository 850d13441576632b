import { Button, Group } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { InvitationForm } from "./InvitationForm.tsx";
import { InvitationLink } from "./InvitationLink.tsx";
import { InvitationList } from "./InvitationList.tsx";
import classes from "./InvitePeople.module.css";
import { RevokeInvitation } from "./RevokeInvitation.tsx";
import { type Invitation, useInvitations } from "./use-invitations.ts";

export interface InvitePeopleProps {
  ownRole: number;
  organizationState: State | undefined;
  isReachable: boolean;
  clockAhead: number;
  /** Changes whenever invitations may have changed. */
  revision: string;
  /** Other ways to let people in, beside the button. */
  children?: ReactNode;
}

type Opened = { what: "form" } | { what: "link"; link: string } | { what: "revoke"; invitation: Invitation };

/** How many invitations the collapsed list shows. */
const COLLAPSED_COUNT = 4;

/** Makes invitation links, and lists those that can still be used. */
export function InvitePeople(props: InvitePeopleProps) {
  const { ownRole, organizationState, isReachable, clockAhead, revision, children } = props;
  const { t } = useTranslation();
  const client = useClient();
  const { invitations, error: listError, reload } = useInvitations(revision);
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
  const close = () => {
    flushSync(() => setOpened(undefined));
    // Somebody else may have revoked the invitation whose button it was.
    (opener.current?.isConnected ? opener : invite).current?.focus();
  };
  const show = async (invitation: Invitation, button: HTMLButtonElement) => {
    if (invitation.link_url !== undefined) return open({ what: "link", link: invitation.link_url }, button);
    try {
      const answer = await client.call("POST /invites/{invite_id}/resend", { invite_id: invitation.id });
      const link = answer.invitations[0]?.invite_link;
      if (link !== undefined) open({ what: "link", link }, button);
    } catch (caught) {
      setError(errorMessage(caught));
    }
  };

  return (
    <>
      <p className={classes.lead}>{t("invitations.lead")}</p>
      <Group gap="xs">
        <Button
          ref={invite}
          aria-haspopup="dialog"
          leftSection={<UserPlus size="1.0625rem" aria-hidden="true" />}
          onClick={(event) => open({ what: "form" }, event.currentTarget)}
        >
          {t("invitations.invite")}
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
        <Dialog title={t("invitations.formTitle")} isForm onClose={close}>
          <InvitationForm
            {...{ ownRole, organizationState }}
            onCancel={close}
            onMade={(link) => {
              reload();
              setOpened({ what: "link", link });
            }}
          />
        </Dialog>
      )}
      {opened?.what === "link" && (
        <Dialog title={t("invitations.linkTitle")} onClose={close}>
          <InvitationLink link={opened.link} isReachable={isReachable} />
          <Group justify="end" mt="lg">
            <Button onClick={close} data-autofocus>
              {t("invitations.done")}
            </Button>
          </Group>
        </Dialog>
      )}
      {opened?.what === "revoke" && (
        <RevokeInvitation
          invitation={opened.invitation}
          onClose={close}
          onRevoked={() => {
            opener.current = invite.current; // the button that was pressed goes with the invitation
            reload();
            close();
          }}
        />
      )}
    </>
  );
}
