import "./mantine-admin.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Desktop, ServerState as ProcessState } from "../../main/bridge-types.ts";
import { useClient } from "../api/client-context.ts";
import { stopWithPage } from "../api/page-life.ts";
import { createQueryClient } from "../api/query-client.ts";
import { mayManage, type Session } from "../api/session.ts";
import { LeaveGuardContext } from "../parts/leave-guard.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { OrganizationProvider } from "../parts/settings/organization-context.ts";
import { AdminProvider } from "./admin-context.ts";
import { leaveGuardOf } from "./leave-guard.ts";
import { Organization } from "./model/organization.ts";
import { ServerConnection, ServerFeed, type ServerWatch } from "./model/server-feed.ts";
import { createAdminRouter } from "./router.tsx";

export interface AdminPagesProps {
  session: Session;
  desktop: Desktop | undefined;
  processState: ProcessState | undefined;
  onSessionLost(): void;
  /** The server is starting, or runs on a folder without an organization. */
  onNotReady(): void;
  onRoleChanged(): void;
  onSignOut(): void;
}

/** The longest time that an empty page shows while the first page loads. */
const MAX_ROUTING_MS = 1_000;

interface Followed {
  organization: Organization;
  server: ServerWatch;
}

/** The admin pages that the user can see. */
export function AdminPages({ session, desktop, processState, ...handlers }: AdminPagesProps) {
  const client = useClient();
  const seesServer = mayManage(session);
  const userId = session.user?.user_id ?? 0; // in the desktop app too, the page acts as an owner
  const [followed, setFollowed] = useState<Followed>();
  const [router] = useState(() => createAdminRouter(session));
  const isRouted = useRouted(router);
  const queries = useMemo(createQueryClient, []);
  const leaveGuard = useMemo(() => leaveGuardOf(router.history), [router]);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    const heard = {
      onForbidden: () => latest.current.onSessionLost(),
      onNotReady: () => latest.current.onNotReady(),
    };
    const connection = new ServerConnection({ ...heard, tryNow: () => organization.tryNow() });
    const organization = new Organization(client, userId, (error) => seesServer || connection.report(error));
    const server = seesServer ? new ServerFeed({ client, userId, ...heard }) : connection;
    setFollowed({ organization, server });
    return stopWithPage(() => {
      organization.stop();
      server.stop();
    });
  }, [client, userId, seesServer]);

  // A user whose role changes gets other pages.
  const role = session.at_desktop ? undefined : session.user?.role;
  useEffect(
    () =>
      followed?.organization.onEvents((types) => {
        if (role === undefined || !types.has("realm_user")) return;
        const users = followed.organization.state.value?.realm_users;
        const self = users?.find(({ user_id }) => user_id === userId);
        if (self && self.role !== role) latest.current.onRoleChanged();
      }),
    [followed, userId, role],
  );

  // The same object while nothing has changed: else each change of the session would draw all pages.
  const admin = useMemo(
    () => followed && { session, desktop, processState, ...followed, onSignOut: () => latest.current.onSignOut() },
    [session, desktop, processState, followed],
  );
  if (!admin || !isRouted) return <PageLoader />;
  return (
    <AdminProvider value={admin}>
      <OrganizationProvider value={admin.organization.state}>
        <QueryClientProvider client={queries}>
          <LeaveGuardContext value={leaveGuard}>
            <RouterProvider router={router} />
          </LeaveGuardContext>
        </QueryClientProvider>
      </OrganizationProvider>
    </AdminProvider>
  );
}

/**
 * Whether the page at the URL is loaded. If it were shown earlier, it would take 300 ms longer (parts/lazy-part.ts).
 */
function useRouted(router: ReturnType<typeof createAdminRouter>): boolean {
  const [isRouted, setRouted] = useState(false);
  // Follows the URL until RouterProvider does. RouterProvider subscribes `router.load` itself, so this must be another
  // function.
  useEffect(() => (isRouted ? undefined : router.history.subscribe(() => router.load())), [router, isRouted]);
  useEffect(() => {
    const timer = setTimeout(setRouted, MAX_ROUTING_MS, true);
    void router.load().finally(() => setRouted(true));
    return () => clearTimeout(timer);
  }, [router]);
  return isRouted;
}
