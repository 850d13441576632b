import { useStore } from "../api/store.ts";
import { useAdmin } from "./admin-context.ts";

/** The server's URL for programs, without a trailing slash: the network URL, or else that of this page. */
export function useServerAddress(): string {
  const { server } = useAdmin();
  const address = useStore(server.followed, ({ state }) => state?.network.addresses[0]?.url);
  return address ?? window.location.origin;
}
