import { Link, useRouterState } from "@tanstack/react-router";
import { LogOut, MessagesSquare, Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "../../parts/ColorSchemeSwitch.tsx";
import { useAdmin } from "../admin-context.ts";
import { navigationFor } from "../navigation.ts";
import { useOpenChat } from "../parts/use-open-chat.ts";
import { OrganizationHeader } from "./OrganizationHeader.tsx";
import { openPalette, PALETTE_KEYS } from "./palette.ts";
import classes from "./Sidebar.module.css";

export function Sidebar() {
  const { t } = useTranslation();
  const { session, desktop, onSignOut } = useAdmin();
  const openChat = useOpenChat();
  // The shown page, and not the one that is loading.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const navigation = useRef<HTMLElement>(null);
  // The palette or a URL can open a page whose link is out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page
  useEffect(() => {
    navigation.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <div className={classes.sidebar}>
      <div className={classes.header}>
        <OrganizationHeader />
      </div>
      <button type="button" className={classes.search} onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
        <Search size="1rem" aria-hidden="true" />
        <span>{t("shell.search")}</span>
        <kbd>{PALETTE_KEYS}</kbd>
      </button>
      <nav ref={navigation} className={classes.navigation} aria-label={t("shell.pages")}>
        {navigationFor(session).map(({ id, pages }) => (
          <div key={id} className={classes.section}>
            <p aria-hidden="true">{t(`nav.sections.${id}`)}</p>
            <ul aria-label={t(`nav.sections.${id}`)}>
              {pages.map(({ id: page, path, icon: Icon }) => (
                <li key={page}>
                  <Link
                    to={path}
                    className={classes.link}
                    activeOptions={{ exact: path === "/", includeSearch: false }}
                    activeProps={{ "data-active": true, "aria-current": "page" }}
                  >
                    <Icon size="1.0625rem" aria-hidden="true" />
                    {t(`nav.${page}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={classes.footer}>
        {desktop ? (
          <button type="button" className={classes.link} onClick={() => openChat("/")}>
            <MessagesSquare size="1.0625rem" aria-hidden="true" />
            {t("shell.openChat")}
          </button>
        ) : (
          <a className={classes.link} href="/">
            <MessagesSquare size="1.0625rem" aria-hidden="true" />
            {t("shell.openChat")}
          </a>
        )}
        {/* In the desktop app, no one is signed in. */}
        {!session.at_desktop && (
          <button type="button" className={classes.link} onClick={onSignOut}>
            <LogOut size="1.0625rem" aria-hidden="true" />
            {t("topBar.signOut")}
          </button>
        )}
        <ColorSchemeSwitch />
      </div>
    </div>
  );
}
