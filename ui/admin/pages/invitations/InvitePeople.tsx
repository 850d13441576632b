import { Button, Group, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { allowedInvitations } from "../../../parts/allowed-invitations.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { adminPart } from "../../admin-part.ts";
import type { SharedLink } from "./InvitationLink.tsx";
import { InvitationList } from "./InvitationList.tsx";
import { type Invitation, sharedLink, useInvitationLink, useInvitations } from "./use-invitations.ts";

const InvitationDialog = adminPart(() =>
  import("./InvitationDialog.tsx").then((all) => ({ default: all.InvitationDialog })),
);
const NewInvitation = adminPart(() => import("./NewInvitation.tsx").then((all) => ({ default: all.NewInvitation })));

const RevokeInvitation = adminPart(() =>
  import("./RevokeInvitation.tsx").then((all) => ({ default: all.RevokeInvitation })),
);

export interface InvitePeopleProps {
  clockAhead: number;
  /** More buttons. */
  children?: ReactNode;
}

type Opened =
  | { kind: "form" }
  | { kind: "links"; links: readonly SharedLink[]; refused?: string | undefined; isMailed?: boolean | undefined }
  | { kind: "revoke"; invitation: Invitation };

interface Shown {
  invitation: Invitation;
  button: HTMLButtonElement;
}

const MAX_COLLAPSED = 4;

/** Creates invitations and lists the open ones. */
export function InvitePeople({ clockAhead, children }: InvitePeopleProps) {
  const { t } = useTranslation();
  const linkOf = useInvitationLink();
  const mayLink = useOrganization((state) => allowedInvitations(state).includes("link"));
  const { invitations, error: listError, reload } = useInvitations();
  const [opened, setOpened] = useState<Opened>();
  const [isExpanded, setExpanded] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const invite = useRef<HTMLButtonElement>(null);

  const open = (dialog: Opened, button: HTMLButtonElement) => {
    opener.current = button;
    show.reset();
    setOpened(dialog);
  };
  /** Closes a dialog, unless another one has replaced it: after the form, the dialog with its link. */
  const close = (kind: Opened["kind"]) => {
    flushSync(() => setOpened((before) => (before?.kind === kind ? undefined : before)));
    // The opener is gone if another person has revoked its invitation.
    (opener.current?.isConnected ? opener : invite).current?.focus();
  };
  const show = useMutation({
    mutationFn: ({ invitation }: Shown) => linkOf(invitation),
    onSuccess: (link, { invitation, button }) => {
      if (link !== undefined) open({ kind: "links", links: [sharedLink(invitation, link, t)] }, button);
    },
  });

  const error = show.error ?? listError;
  return (
    <Stack gap="md" pt="xs">
      <Hint>{t(mayLink ? "invitations.lead" : "invitations.emptyByEmail")}</Hint>
      <Group gap="xs">
        <Button
          ref={invite}
          aria-haspopup="dialog"
          leftSection={<UserPlus size="1.0625rem" aria-hidden="true" />}
          onClick={(event) => open({ kind: "form" }, event.currentTarget)}
        >
          {t("invitations.action")}
        </Button>
        {children}
      </Group>
      {Boolean(error) && (
        <Callout
          tone="error"
          role="alert"
          action={
            !show.error && (
              <Button size="compact-sm" variant="default" onClick={reload}>
                {t("invitations.tryAgain")}
              </Button>
            )
          }
        >
          {errorMessage(error)}
        </Callout>
      )}
      {invitations && invitations.length > 0 && (
        <div style={{ borderBlockStart: "1px solid var(--hearth-line)" }}>
          <InvitationList
            invitations={isExpanded ? invitations : invitations.slice(0, MAX_COLLAPSED)}
            clockAhead={clockAhead}
            onShow={(invitation, button) => show.mutate({ invitation, button })}
            onRevoke={(invitation, button) => open({ kind: "revoke", invitation }, button)}
          />
          {invitations.length > MAX_COLLAPSED && (
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
      {opened?.kind === "form" && (
        <NewInvitation
          onClose={() => close("form")}
          onCreated={(links, result) => setOpened({ kind: "links", links, ...result })}
        />
      )}
      {opened?.kind === "links" && <InvitationDialog {...opened} onClose={() => close("links")} />}
      {opened?.kind === "revoke" && (
        <RevokeInvitation
          invitation={opened.invitation}
          onClose={() => close("revoke")}
          onRevoked={() => {
            opener.current = invite.current; // The button of the invitation is gone.
            reload();
            close("revoke");
          }}
        />
      )}
    </Stack>
  );
}
