import { useStore } from "../api/store.ts";
import { useAdmin } from "./admin-context.ts";

/** The server's URL for programs, without a trailing slash: the network URL, or else that of this page. */
export function useServerAddress(): string {
  const { server } = useAdmin();
  const address = useStore(server.followed, ({ state }) => state?.network.addresses[0]?.url);
  return address ?? window.location.origin;
}

const LOCAL_NAME = /^(?:localhost|[^.]+|.+\.local|.+\.(?:lan|home|internal)|.+\.home\.arpa)$/;
const LOCAL_IP =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[(?:::1\]|f[cd]|fe[89ab]))/;

/** Whether services on the internet cannot reach the URL. */
export function isLocalAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return LOCAL_IP.test(host) || (!host.startsWith("[") && LOCAL_NAME.test(host));
}
