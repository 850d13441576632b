import { useTranslation } from "react-i18next";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import classes from "./InvitationLink.module.css";

export interface InvitationLinkProps {
  link: string;
  /** Whether other machines can connect: without that, nobody else can open the link. */
  isReachable: boolean;
}

/** A link with its QR code, to be copied or scanned. */
export function InvitationLink({ link, isReachable }: InvitationLinkProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.link}>
      <p>{t(isReachable ? "invitations.linkLead" : "invitations.linkLocal")}</p>
      <CopyableCode>{link}</CopyableCode>
      {isReachable && (
        <div className={classes.code}>
          <QrCode text={link} />
          <p>{t("connect.qrHint")}</p>
        </div>
      )}
    </div>
  );
}
