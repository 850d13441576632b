import { Button, Group, Text } from "@mantine/core";
import { Printer } from "lucide-react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { Dialog } from "../../../parts/Dialog.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import classes from "./InvitationDialog.module.css";
import { InvitationLink } from "./InvitationLink.tsx";

/** An invitation link and its recipient. */
export interface SharedLink {
  readonly name: string;
  readonly link: string;
  /** The invited email address. Undefined for a reusable link. */
  readonly email?: string | undefined;
}

export interface InvitationDialogProps {
  links: readonly SharedLink[];
  /** The rejected email addresses with the reasons. */
  refused?: string | undefined;
  onClose(): void;
}

/** Invitation links as text, QR codes and printable sheets. */
export function InvitationDialog({ links, refused, onClose }: InvitationDialogProps) {
  const { t } = useTranslation();
  const { server } = useAdmin();
  // Users who cannot read the server's state are connected over the network.
  const isReachable = useStore(server.followed, ({ state }) => state?.network.lan ?? true);
  const organization = useOrganization(({ realm_name }) => realm_name ?? "");
  const [only] = links;
  return (
    <Dialog title={links.length === 1 && only ? only.name : t("invite.links")} onClose={onClose}>
      {refused && (
        <Callout tone="warning" role="alert">
          {refused}
        </Callout>
      )}
      {links.length === 1 && only ? (
        <InvitationLink link={only.link} email={only.email} isReachable={isReachable} />
      ) : (
        <ul className={classes.links}>
          {links.map(({ name, link }) => (
            <li key={link}>
              <Text component="bdi" inherit fw={560}>
                {name}
              </Text>
              <CopyableCode>{link}</CopyableCode>
            </li>
          ))}
        </ul>
      )}
      <Group justify="space-between" mt="lg">
        <Button
          variant="default"
          leftSection={<Printer size="1.0625rem" aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t("invite.print")}
        </Button>
        <Button onClick={onClose} data-autofocus>
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
