import { useTranslation } from "react-i18next";
import { mayManageHost } from "../../api/session.ts";
import { Callout } from "../../parts/Callout.tsx";
import { useAdmin } from "../admin-context.ts";
import { PageLink } from "./PageLink.tsx";

const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;

/** Whether only this computer can open the link. */
export const isLocalLink = (link: string): boolean => LOOPBACK.test(URL.parse(link)?.hostname ?? "");

/** Says that only this computer can open a link, and where that is changed. */
export function LocalLinkWarning() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  return (
    <Callout tone="warning">
      {t("invitations.linkLocal")}{" "}
      {mayManageHost(session) && <PageLink to="/network">{t("invitations.openNetwork")}</PageLink>}
    </Callout>
  );
}
