import { useStore } from "../api/store.ts";
import { useAdmin } from "./admin-context.ts";

/** Where programs reach the server: as people do, or else as this page does. No slash at the end. */
export function useServerAddress(): string {
  const { server } = useAdmin();
  const address = useStore(server.followed, ({ state }) => state?.network.addresses[0]?.url);
  return address ?? window.location.origin;
}
