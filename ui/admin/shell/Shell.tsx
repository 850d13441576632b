import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu, MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { isTyping } from "../../parts/is-typing.ts";
import { keepKeys } from "../../parts/keep-keys.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";
import { noticesShown } from "../../parts/settings/notices-shown.ts";
import { useAdmin } from "../admin-context.ts";
import { adminPart } from "../admin-part.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { useOpenChat } from "../parts/use-open-chat.ts";
import { OrganizationHeader } from "./OrganizationHeader.tsx";
import { closePalette, isPaletteOpen, openPalette } from "./palette.ts";
import classes from "./Shell.module.css";
import { Sidebar } from "./Sidebar.tsx";
import { StateBanner } from "./StateBanner.tsx";
import { useInstallerDrop } from "./use-installer-drop.ts";
import { useServerStatus } from "./use-server-status.ts";

const CommandPalette = adminPart(() =>
  import("./CommandPalette.tsx").then((module) => ({ default: module.CommandPalette })),
);
const KeysHelp = adminPart(() => import("./KeysHelp.tsx").then((module) => ({ default: module.KeysHelp })));
const MenuDrawer = lazyPart(() => import("./MenuDrawer.tsx").then((module) => ({ default: module.MenuDrawer })));
const NoticeArea = lazyPart(() =>
  import("../../parts/settings/NoticeArea.tsx").then((module) => ({ default: module.NoticeArea })),
);

const NARROW = "(max-width: 61.99em)";

export function Shell() {
  const { t } = useTranslation();
  const { organization } = useAdmin();
  const openChat = useOpenChat();
  const isLoaded = useStore(organization.state, (state) => state !== undefined);
  const status = useServerStatus();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const content = useRef<HTMLElement>(null);
  const showsPalette = useStore(isPaletteOpen, (isOpen) => isOpen);
  const hasNotices = useStore(noticesShown, (shown) => shown);
  const [keysHelp, setKeysHelp] = useState<"open" | "closed">();
  const showKeys = ({ target }: KeyboardEvent) => !isTyping(target) && setKeysHelp("open");
  // In text fields too: there, the browser's own Ctrl K moves to its address bar.
  useHotkeys([["mod+K", openPalette]], []);
  useEffect(() => isPaletteOpen.subscribe(() => isPaletteOpen.value && keepKeys(closePalette)), []);
  useHotkeys(
    [
      ["shift+?", showKeys, { preventDefault: false }],
      ["?", showKeys, { preventDefault: false }], // some keyboards write it without Shift
    ],
    [],
  );

  useInstallerDrop();

  // The link or form that led here may be gone, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is a new page
  useEffect(() => {
    setMenuOpen(false);
    if (isLoaded && [null, document.body].includes(document.activeElement as HTMLElement | null))
      content.current?.focus({ preventScroll: true });
  }, [path, isLoaded]);

  if (!isLoaded)
    return (
      <>
        <StateBanner />
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
          <IconButton label={t("shell.menu")} size="lg" onClick={() => setMenuOpen(true)}>
            <Menu size="1.25rem" aria-hidden="true" />
          </IconButton>
          <OrganizationHeader />
          <IconButton label={t("shell.openChat")} size="lg" ms="auto" onClick={() => openChat("/")}>
            <MessagesSquare size="1.25rem" aria-hidden="true" />
          </IconButton>
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
        <StateBanner />
        <Outlet />
      </main>
      {isNarrow && <MenuDrawer opened={isMenuOpen} onClose={() => setMenuOpen(false)} />}
      {showsPalette && <CommandPalette />}
      {hasNotices && <NoticeArea className={classes.notices} />}
      {keysHelp && <KeysHelp opened={keysHelp === "open"} onClose={() => setKeysHelp("closed")} />}
    </div>
  );
}
