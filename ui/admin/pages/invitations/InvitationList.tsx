import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { exactTime, relativeAhead } from "../../../parts/format.ts";
import { roleKey } from "../../../parts/settings/roles.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { FileList, FileRow } from "../../parts/FileList.tsx";
import { type Invitation, invitationName } from "./use-invitations.ts";

export interface InvitationListProps {
  invitations: readonly Invitation[];
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  onShow(invitation: Invitation, opener: HTMLButtonElement): void;
  onRevoke(invitation: Invitation, opener: HTMLButtonElement): void;
}

/** Open invitations with their expiry, creator and the people who joined. */
export function InvitationList({ invitations, clockAhead, onShow, onRevoke }: InvitationListProps) {
  const { t } = useTranslation();
  const now = useNow();
  // In the time of this machine's clock.
  const endOf = ({ expiry_date }: Invitation) => (expiry_date === null ? undefined : expiry_date * 1000 - clockAhead);
  return (
    <FileList label={t("nav.invitations")}>
      {invitations
        .filter((invitation) => (endOf(invitation) ?? now + 1) > now)
        .map((invitation) => {
          const { id, email, invited_as, is_multiuse, invited_by, claims } = invitation;
          const end = endOf(invitation);
          const name = invitationName(invitation, t);
          return (
            <FileRow
              key={`${is_multiuse} ${id}`}
              title={<bdi>{name}</bdi>}
              tools={
                <>
                  {(invitation.link_url !== undefined || !is_multiuse) && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-haspopup="dialog"
                      aria-label={t("invitations.showNamed", { name })}
                      onClick={(event) => onShow(invitation, event.currentTarget)}
                    >
                      {t("invitations.show")}
                    </Button>
                  )}
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-haspopup="dialog"
                    aria-label={t("invitations.revokeNamed", { name })}
                    onClick={(event) => onRevoke(invitation, event.currentTarget)}
                  >
                    {t("invitations.revoke")}
                  </Button>
                </>
              }
            >
              <Hint size="xs">
                {email !== undefined && `${t(`invitations.as.${roleKey(invited_as)}`)} · `}
                {claims && `${t("invitations.claim")} · `}
                <span title={end === undefined ? undefined : exactTime(end)}>
                  {end === undefined
                    ? t("invitations.endless")
                    : t("invitations.ends", { when: relativeAhead(end, now) })}
                </span>
                {invited_by && ` · ${t("invitations.by", { name: invited_by })}`}
              </Hint>
              {is_multiuse && <Joined invitation={invitation} />}
            </FileRow>
          );
        })}
    </FileList>
  );
}

/** The people who joined with a reusable link: the newest by name, the others as a number. */
function Joined({ invitation: { joined = 0, newest = [] } }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const names = newest.map(({ full_name }) => full_name);
  const others = joined - names.length;
  const all = others > 0 ? [...names, t("invitations.others", { count: others })] : names;
  const list = new Intl.ListFormat(undefined, { type: "conjunction" }).format(all);
  return (
    <Hint size="xs">
      {joined === 0 ? t("invitations.nobody") : t("invitations.joined", { count: joined, names: list })}
    </Hint>
  );
}
