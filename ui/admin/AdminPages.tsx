import "./mantine-admin.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Desktop, ServerState as ProcessState } from "../../main/bridge-types.ts";
import { Refusal } from "../api/client.ts";
import { useClient } from "../api/client-context.ts";
import { stopWithPage } from "../api/page-life.ts";
import type { Session } from "../api/session.ts";
import { PageLoader } from "../parts/PageLoader.tsx";
import { AdminProvider } from "./admin-context.ts";
import { Organization } from "./model/organization.ts";
import { ServerFeed } from "./model/server-feed.ts";
import { createAdminRouter } from "./router.tsx";

export interface AdminPagesProps {
  session: Session;
  desktop: Desktop | undefined;
  processState: ProcessState | undefined;
  onSessionLost(): void;
  /** The server is starting, or runs on a folder without an organization. */
  onNotReady(): void;
  onSignOut(): void;
}

interface Followed {
  organization: Organization;
  server: ServerFeed;
}

/** The pages for somebody who may manage the organization. */
export function AdminPages({ session, desktop, processState, ...handlers }: AdminPagesProps) {
  const client = useClient();
  const userId = session.user?.user_id ?? 0; // at the desktop too, there is an owner in whose name the page acts
  const [followed, setFollowed] = useState<Followed>();
  const router = useMemo(createAdminRouter, []);
  const queries = useMemo(createQueryClient, []);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    const organization = new Organization(client, userId);
    const server = new ServerFeed({
      client,
      userId,
      onForbidden: () => latest.current.onSessionLost(),
      onNotReady: () => latest.current.onNotReady(),
    });
    setFollowed({ organization, server });
    return stopWithPage(() => {
      organization.stop();
      server.stop();
    });
  }, [client, userId]);

  // The same object while nothing has changed: else each change of the session would draw all pages.
  const admin = useMemo(
    () => followed && { session, desktop, processState, ...followed, onSignOut: () => latest.current.onSignOut() },
    [session, desktop, processState, followed],
  );
  if (!admin) return <PageLoader />;
  return (
    <AdminProvider value={admin}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </AdminProvider>
  );
}

/** Answers that are shown are kept current by events, so they are not asked for again at other moments. */
const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => !(error instanceof Refusal) && count < 3,
      },
    },
  });
