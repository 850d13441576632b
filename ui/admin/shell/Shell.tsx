import { ActionIcon } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";
import { useAdmin } from "../admin-context.ts";
import { OrganizationHeader } from "./OrganizationHeader.tsx";
import classes from "./Shell.module.css";
import { Sidebar } from "./Sidebar.tsx";
import { StateBanner } from "./StateBanner.tsx";
import { useServerStatus } from "./use-server-status.ts";

// Loaded after the page, which does not wait for them.
const CommandPalette = lazyPart(() =>
  import("./CommandPalette.tsx").then((module) => ({ default: module.CommandPalette })),
);
const MenuDrawer = lazyPart(() => import("./MenuDrawer.tsx").then((module) => ({ default: module.MenuDrawer })));
const Notices = lazyPart(() => import("./Notices.tsx").then((module) => ({ default: module.Notices })));

/** There is no room for the sidebar beside a page. */
const NARROW = "(max-width: 61.99em)";

/** What stands around every page: the navigation, and what has to be known wherever one is. */
export function Shell() {
  const { t } = useTranslation();
  const { organization, server } = useAdmin();
  const isLoaded = useStore(organization.state, (state) => state !== undefined);
  const { state: serverState, error } = useStore(server.followed, (followed) => followed);
  const status = useServerStatus();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const content = useRef<HTMLElement>(null);

  // The link or the form that led here may be gone, and has taken the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page
  useEffect(() => {
    setMenuOpen(false);
    if (isLoaded && [null, document.body].includes(document.activeElement as HTMLElement | null))
      content.current?.focus({ preventScroll: true });
  }, [path, isLoaded]);

  const banner = (
    <StateBanner status={status} since={error?.since} serverState={serverState} onTryNow={() => server.tryNow()} />
  );
  if (!isLoaded)
    return (
      <>
        {banner}
        <PageLoader />
      </>
    );
  return (
    <div className={classes.shell}>
      <button type="button" className={classes.skip} onClick={() => content.current?.focus()}>
        {t("shell.skip")}
      </button>
      {isNarrow ? (
        <header className={classes.topBar}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("shell.menu")}
            onClick={() => setMenuOpen(true)}
          >
            <Menu size="1.25rem" aria-hidden="true" />
          </ActionIcon>
          <OrganizationHeader />
        </header>
      ) : (
        <header className={classes.sidebar}>
          <Sidebar />
        </header>
      )}
      <main
        className={classes.content}
        id="content"
        ref={content}
        tabIndex={-1}
        data-stale={status === "unreachable" || status === "stopped"}
      >
        {banner}
        <Outlet />
      </main>
      <Suspense>
        {isNarrow && <MenuDrawer opened={isMenuOpen} onClose={() => setMenuOpen(false)} />}
        <CommandPalette />
        <Notices />
      </Suspense>
    </div>
  );
}
