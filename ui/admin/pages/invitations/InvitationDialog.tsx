import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Printer } from "lucide-react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { isLocalLink, LocalLinkWarning } from "../../parts/LocalLink.tsx";
import classes from "./InvitationDialog.module.css";
import { InvitationLink, type SharedLink } from "./InvitationLink.tsx";

export interface InvitationDialogProps {
  links: readonly SharedLink[];
  /** The rejected email addresses with the reasons. */
  refused?: string | undefined;
  /** Whether the server mails the links. */
  isMailed?: boolean | undefined;
  onClose(): void;
}

/** Invitation links as text, QR codes and printable sheets. */
export function InvitationDialog({ links, refused, isMailed = false, onClose }: InvitationDialogProps) {
  const { t } = useTranslation();
  const { server } = useAdmin();
  // Users who cannot read the server's state are connected over the network.
  const isOpen = useStore(server.followed, ({ state }) => state?.network.lan ?? true);
  const isReachable = isOpen && !links.some(({ link }) => isLocalLink(link));
  const organization = useOrganization(({ realm_name }) => realm_name ?? "");
  const [only] = links;
  return (
    <Dialog title={links.length === 1 && only ? only.name : t("invite.links")} onClose={onClose}>
      <Stack gap="md">
        {refused && (
          <Callout tone="warning" role="alert">
            {refused}
          </Callout>
        )}
        {isMailed && (
          <Callout tone="info" role="status">
            {t("invite.mailed", { count: links.length })}
          </Callout>
        )}
        {!isReachable && <LocalLinkWarning />}
        {links.length === 1 && only ? (
          <InvitationLink shared={only} isReachable={isReachable} isMailed={isMailed} />
        ) : (
          <ul className={classes.links}>
            {links.map((shared) => (
              <li key={shared.link}>
                <Group justify="space-between" gap="xs">
                  <Text component="bdi" inherit fw={560}>
                    {shared.name}
                  </Text>
                  {!isMailed && <MailLink shared={shared} />}
                </Group>
                <CopyableCode>{shared.link}</CopyableCode>
              </li>
            ))}
          </ul>
        )}
      </Stack>
      <Group justify="space-between" mt="lg">
        <Group gap="xs">
          {links.length > 1 && (
            <CopyButton
              size="md"
              variant="default"
              text={links.map(({ name, link }) => `${name}: ${link}`).join("\n")}
              label={t("invite.copyAll")}
            />
          )}
          {links.length === 1 && only && !isMailed && <MailLink shared={only} />}
          <Button
            variant="default"
            leftSection={<Printer size="1.0625rem" aria-hidden="true" />}
            onClick={() => window.print()}
          >
            {t("invite.print")}
          </Button>
        </Group>
        <Button onClick={onClose} data-autofocus ms="auto">
          {t("invitations.done")}
        </Button>
      </Group>
      {createPortal(
        <div className={classes.sheets} data-print aria-hidden="true">
          {links.map(({ name, link }) => (
            <section key={link} className={classes.sheet}>
              <h1>{t("invite.sheetTitle", { organization })}</h1>
              <p>{t("invite.sheetHow")}</p>
              <div className={classes.code}>
                <QrCode text={link} />
              </div>
              <p className={classes.address}>{link}</p>
              <p>{name}</p>
            </section>
          ))}
        </div>,
        document.body,
      )}
    </Dialog>
  );
}

/** Opens a message with the link in the user's mail program. */
function MailLink({ shared: { email, link } }: { shared: SharedLink }) {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const organization = useOrganization(({ realm_name }) => realm_name ?? "");
  if (email === undefined) return null;
  const subject = encodeURIComponent(t("invite.sheetTitle", { organization }));
  const body = encodeURIComponent(t("invite.mailBody", { organization, link }));
  return (
    <Anchor
      href={`mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`}
      size="sm"
      aria-label={t("invite.mailTo", { email })}
      // The desktop app opens only links that would open a window.
      {...(desktop && { target: "_blank" })}
    >
      {t("invite.mail")}
    </Anchor>
  );
}
