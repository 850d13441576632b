import { useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAdmin } from "../admin-context.ts";
import { homeOf, isOfDesktop, isOfOthers } from "../navigation.ts";
import { Page } from "../parts/Page.tsx";
import { PageLink } from "../parts/PageLink.tsx";

/** Shown for a URL without a page, or with a page that this user cannot open. */
export function NoSuchPage() {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const home = homeOf(session);
  const [title, hint] = isOfDesktop(session, path)
    ? [t("shell.atDesktopOnly"), t("shell.atDesktopOnlyHint")]
    : isOfOthers(session, path)
      ? [t("shell.notForYou"), t("shell.notForYouHint")]
      : [t("shell.noSuchPage"), t("shell.noSuchPageHint")];
  return (
    <Page title={title} description={hint}>
      <PageLink to={home}>{t(home === "/" ? "nav.overview" : "nav.own")}</PageLink>
    </Page>
  );
}
