import { useTranslation } from "react-i18next";
import { mayManageHost } from "../../api/session.ts";
import { Callout } from "../../parts/Callout.tsx";
import { isLocalHost } from "../../parts/is-local-host.ts";
import { useAdmin } from "../admin-context.ts";
import { PageLink } from "./PageLink.tsx";

/** Whether only this computer can open the link. */
export const isLocalLink = (link: string): boolean => isLocalHost(URL.parse(link)?.hostname ?? "");

/** Warns that only this computer can open a link, with a link to the network settings. */
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
