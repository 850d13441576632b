import { useTranslation } from "react-i18next";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import classes from "./InvitationLink.module.css";

export interface InvitationLinkProps {
  link: string;
  /** Whom it is for; undefined of a link for many. */
  email: string | undefined;
  /** Whether other machines can connect: without that, nobody else can open the link. */
  isReachable: boolean;
}

/** A link with its QR code, to be copied or scanned. */
export function InvitationLink({ link, email, isReachable }: InvitationLinkProps) {
  const { t } = useTranslation();
  const leadFor = email === undefined ? t("invitations.linkLead") : t("invitations.linkLeadOne", { email });
  const lead = isReachable ? leadFor : t("invitations.linkLocal");
  return (
    <div className={classes.link}>
      <p>{lead}</p>
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
