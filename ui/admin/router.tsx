import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Session } from "../api/session.ts";
import { loadPart } from "../parts/lazy-part.ts";
import { loadAdminPart } from "./admin-part.ts";
import { HOMES, homeOf, isOffered } from "./navigation.ts";
import { type PageSearch, parseSearch, stringifySearch } from "./page-search.ts";
import { NoSuchPage } from "./shell/NoSuchPage.tsx";
import { PageFailed } from "./shell/PageFailed.tsx";
import { PageSkeleton } from "./shell/PageSkeleton.tsx";
import { Shell } from "./shell/Shell.tsx";

const rootRoute = createRootRouteWithContext<{ session: Session }>()({
  component: Shell,
  notFoundComponent: NoSuchPage,
  errorComponent: false, // if the shell fails, ErrorBoundary replaces the whole window
});

/** A page at a path, loaded as its own chunk. */
const page = <Path extends string>(path: Path, load: () => Promise<ComponentType>, loadWhole = loadAdminPart) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: ({ context: { session } }) => {
      if (isOffered(session, path)) return;
      // After a change of role, the user is at the home page of the old role.
      throw HOMES.has(path) ? redirect({ to: homeOf(session), replace: true }) : notFound();
    },
    validateSearch: (search: Record<string, unknown>) => search as PageSearch,
    component: lazyRouteComponent(async () => ({ default: await loadWhole(load) })),
  });

const routes = [
  page("/", () => import("./pages/overview/OverviewPage.tsx").then(({ OverviewPage }) => OverviewPage), loadPart),
  page("/own", () => import("./pages/own/OwnPage.tsx").then(({ OwnPage }) => OwnPage)),
  page("/people", () => import("./pages/people/PeoplePage.tsx").then(({ PeoplePage }) => PeoplePage)),
  page("/invitations", () =>
    import("./pages/invitations/InvitationsPage.tsx").then(({ InvitationsPage }) => InvitationsPage),
  ),
  page("/groups", () => import("./pages/groups/GroupsPage.tsx").then(({ GroupsPage }) => GroupsPage)),
  page("/channels", () => import("./pages/channels/ChannelsPage.tsx").then(({ ChannelsPage }) => ChannelsPage)),
  page("/folders", () => import("./pages/folders/FoldersPage.tsx").then(({ FoldersPage }) => FoldersPage)),
  page("/defaults", () => import("./pages/defaults/DefaultsPage.tsx").then(({ DefaultsPage }) => DefaultsPage)),
  page("/bots", () => import("./pages/bots/BotsPage.tsx").then(({ BotsPage }) => BotsPage)),
  page("/webhooks", () => import("./pages/webhooks/WebhooksPage.tsx").then(({ WebhooksPage }) => WebhooksPage)),
  page("/integrations", () =>
    import("./pages/integrations/IntegrationsPage.tsx").then(({ IntegrationsPage }) => IntegrationsPage),
  ),
  page("/organization", () =>
    import("./pages/organization/OrganizationPage.tsx").then(({ OrganizationPage }) => OrganizationPage),
  ),
  page("/permissions", () =>
    import("./pages/permissions/PermissionsPage.tsx").then(({ PermissionsPage }) => PermissionsPage),
  ),
  page("/emoji", () => import("./pages/emoji/EmojiPage.tsx").then(({ EmojiPage }) => EmojiPage)),
  page("/linkifiers", () =>
    import("./pages/linkifiers/LinkifiersPage.tsx").then(({ LinkifiersPage }) => LinkifiersPage),
  ),
  page("/playgrounds", () =>
    import("./pages/playgrounds/PlaygroundsPage.tsx").then(({ PlaygroundsPage }) => PlaygroundsPage),
  ),
  page("/profile-fields", () =>
    import("./pages/profile-fields/ProfileFieldsPage.tsx").then(({ ProfileFieldsPage }) => ProfileFieldsPage),
  ),
  page("/data", () => import("./pages/data/DataPage.tsx").then(({ DataPage }) => DataPage)),
  page("/move-in", () => import("./pages/move-in/MoveInPage.tsx").then(({ MoveInPage }) => MoveInPage)),
  page("/network", () => import("./pages/network/NetworkPage.tsx").then(({ NetworkPage }) => NetworkPage)),
  page("/email", () => import("./pages/email/EmailPage.tsx").then(({ EmailPage }) => EmailPage)),
  page("/audit", () => import("./pages/audit/AuditPage.tsx").then(({ AuditPage }) => AuditPage)),
  page("/computer", () => import("./pages/computer/ComputerPage.tsx").then(({ ComputerPage }) => ComputerPage)),
  page("/updates", () => import("./pages/updates/UpdatesPage.tsx").then(({ UpdatesPage }) => UpdatesPage)),
  page("/backups", () => import("./pages/backups/BackupsPage.tsx").then(({ BackupsPage }) => BackupsPage)),
  page("/logs", () => import("./pages/logs/LogsPage.tsx").then(({ LogsPage }) => LogsPage)),
] as const;

const routeTree = rootRoute.addChildren(routes);

/** Pages are hash routes: the server and the desktop app have a single URL for all of them. */
export const createAdminRouter = (session: Session) =>
  createRouter({
    routeTree,
    context: { session },
    history: createHashHistory(),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    disableGlobalCatchBoundary: true,
    scrollRestoration: true,
    // The element #content scrolls, not the window (shell/Shell.tsx).
    scrollToTopSelectors: ["#content"],
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAdminRouter>;
  }
}
