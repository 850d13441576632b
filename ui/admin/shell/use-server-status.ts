import { useStore } from "../../api/store.ts";
import { useAdmin } from "../admin-context.ts";
import { type ServerStatus, serverStatus } from "./server-status.ts";

export function useServerStatus(): ServerStatus {
  const { processState, organization, server } = useAdmin();
  const error = useStore(server.followed, (followed) => followed.error);
  const isLoaded = useStore(organization.state, (state) => state !== undefined);
  const hasState = useStore(server.followed, ({ state }) => state !== undefined);
  return serverStatus({ processState, error, hasAnswered: hasState || isLoaded });
}
