import { useStore } from "../api/store.ts";
import { useAdmin } from "./admin-context.ts";

/** The server's URL for programs, without a trailing slash: the network URL, or else that of this page. */
export function useServerAddress(): string {
  const { server } = useAdmin();
  const address = useStore(server.followed, ({ state }) => state?.network.addresses[0]?.url);
  return address ?? window.location.origin;
}

const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|lan|home|internal)|.+\.home\.arpa)$/;
const LOCAL_IPV4 =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)[\d.]+$/;
const LOCAL_IPV6 = /^\[(?:::1\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

/** Whether services on the internet cannot reach the URL. */
export function isLocalAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return host.startsWith("[") ? LOCAL_IPV6.test(host) : LOCAL_IPV4.test(host) || LOCAL_NAME.test(host);
}
