import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyableCode } from "../../../parts/CopyableCode.tsx";
import { QrCode } from "../../../parts/QrCode.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";

export interface InvitationLinkProps {
  link: string;
  /** The invited email address. Undefined for a reusable link. */
  email: string | undefined;
  /** Whether other machines can open the link. */
  isReachable: boolean;
  /** Whether the server mails the link. */
  isMailed?: boolean;
}

/** A link with its QR code. */
export function InvitationLink({ link, email, isReachable, isMailed = false }: InvitationLinkProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text c="dimmed">
        {email === undefined
          ? t("invitations.linkLead")
          : t(isMailed ? "invite.linkLeadMailed" : "invitations.linkLeadOne", { email })}
      </Text>
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
