import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";

/** An invitation link and its recipient. */
export interface SharedLink {
  readonly name: string;
  readonly link: string;
  /** The invited email address. Undefined for a reusable link. */
  readonly email?: string | undefined;
  /** Whether an imported person claims their account with it. */
  readonly isClaim?: boolean;
}

export interface InvitationLinkProps {
  shared: SharedLink;
  /** Whether other machines can open the link. */
  isReachable: boolean;
  /** Whether the server mails the link. */
  isMailed?: boolean;
}

/** A link with its QR code. */
export function InvitationLink({ shared, isReachable, isMailed = false }: InvitationLinkProps) {
  const { name, link, email, isClaim } = shared;
  const { t } = useTranslation();
  const lead =
    email === undefined
      ? t("invitations.linkLead")
      : t(isMailed ? "invite.linkLeadMailed" : "invitations.linkLeadOne", { email });
  return (
    <Stack gap="md">
      <Text c="dimmed">{isClaim ? t("invitations.linkLeadClaim", { name }) : lead}</Text>
      <CopyableCode>{link}</CopyableCode>
      {isReachable && (
        <Stack gap="xs" w="min(100%, 13rem)" mx="auto">
          <QrCode text={link} />
          <Hint size="xs" ta="center">
            {t("connect.qrHint")}
          </Hint>
        </Stack>
      )}
    </Stack>
  );
}
