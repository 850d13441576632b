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
] as const;

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
