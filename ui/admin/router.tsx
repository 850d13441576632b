import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { type PageSearch, parseSearch, stringifySearch } from "./page-search.ts";
import { NoSuchPage } from "./shell/NoSuchPage.tsx";
import { PageSkeleton } from "./shell/PageSkeleton.tsx";
import { Shell } from "./shell/Shell.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage });
const getParentRoute = () => rootRoute;
const validateSearch = (search: Record<string, unknown>): PageSearch => search as PageSearch;

/* Each page is a chunk of its own, which is loaded when the page is opened. */
const routes = [
  createRoute({
    getParentRoute,
    path: "/",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/overview/OverviewPage.tsx"), "OverviewPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/organization",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/organization/OrganizationPage.tsx"), "OrganizationPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/permissions",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/permissions/PermissionsPage.tsx"), "PermissionsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/emoji",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/emoji/EmojiPage.tsx"), "EmojiPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/linkifiers",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/linkifiers/LinkifiersPage.tsx"), "LinkifiersPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/playgrounds",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/playgrounds/PlaygroundsPage.tsx"), "PlaygroundsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/profile-fields",
    validateSearch,
    component: lazyRouteComponent(() => import("./pages/profile-fields/ProfileFieldsPage.tsx"), "ProfileFieldsPage"),
  }),
] as const;

export type AdminPath = (typeof routes)[number]["path"];

const routeTree = rootRoute.addChildren(routes);

/** The address's hash names the page: the server answers one address for all of them, and so does the desktop. */
export const createAdminRouter = () =>
  createRouter({
    routeTree,
    history: createHashHistory(),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAdminRouter>;
  }
}
