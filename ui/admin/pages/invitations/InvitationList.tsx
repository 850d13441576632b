import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { exactTime, relativeAhead } from "../../../parts/format.ts";
import { roleKey } from "../../../parts/settings/roles.ts";
import { useNow } from "../../../parts/use-now.ts";
import classes from "./InvitationList.module.css";
import type { Invitation } from "./use-invitations.ts";

export interface InvitationListProps {
  invitations: readonly Invitation[];
  /** How far the server's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  onShow(invitation: Invitation, opener: HTMLButtonElement): void;
  onRevoke(invitation: Invitation, opener: HTMLButtonElement): void;
}

/** Invitations that can still be used: what for, until when, by whom, and who came by them. */
export function InvitationList({ invitations, clockAhead, onShow, onRevoke }: InvitationListProps) {
  const { t } = useTranslation();
  const now = useNow();
  const endOf = ({ expiry_date }: Invitation) => (expiry_date === null ? undefined : expiry_date * 1000 - clockAhead); // by this machine's clock
  return (
    <ul className={classes.invitations}>
      {invitations
        .filter((invitation) => (endOf(invitation) ?? now + 1) > now)
        .map((invitation) => {
          const { id, email, invited_as, is_multiuse, invited_by } = invitation;
          const end = endOf(invitation);
          const name = email ?? t(`invitations.linkFor.${roleKey(invited_as)}`);
          return (
            <li key={id} className={classes.invitation}>
              <div className={classes.text}>
                <bdi className={classes.name}>{name}</bdi>
                <span className={classes.facts}>
                  {email !== undefined && <span>{t(`invitations.as.${roleKey(invited_as)}`)}</span>}
                  <span title={end === undefined ? undefined : exactTime(end)}>
                    {end === undefined
                      ? t("invitations.endless")
                      : t("invitations.ends", { when: relativeAhead(end, now) })}
                  </span>
                  {invited_by && <span>{t("invitations.by", { name: invited_by })}</span>}
                </span>
                {is_multiuse && <Newest invitation={invitation} />}
              </div>
              <div className={classes.actions}>
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
              </div>
            </li>
          );
        })}
    </ul>
  );
}

/** Who came by a reusable link: the newest by name, the others by number. */
function Newest({ invitation: { joined = 0, newest = [] } }: { invitation: Invitation }) {
  const { t } = useTranslation();
  if (joined === 0) return <span className={classes.joined}>{t("invitations.nobody")}</span>;
  const names = newest.map(({ full_name }) => full_name);
  const others = joined - names.length;
  const all = others > 0 ? [...names, t("invitations.others", { count: others })] : names;
  const list = new Intl.ListFormat(undefined, { type: "conjunction" }).format(all);
  return <span className={classes.joined}>{t("invitations.joined", { count: joined, names: list })}</span>;
}
