import { Store } from "../../api/store.ts";
import { loadPart } from "../../parts/lazy-part.ts";

/** Whether this browser shows notifications. It never does at insecure URLs. */
export const mayNotify = (): boolean => "Notification" in window && Notification.permission === "granted";

/**
 * The service worker's registration while this browser has Web Push. The page then shows its own notifications through
 * the service worker too, so that it and a push for the same message have one notification.
 */
export const pushRegistration = new Store<ServiceWorkerRegistration | undefined>(undefined);

/** Loaded when it is needed, because most browsers have no Web Push. */
export const loadWebPush = () => loadPart(() => import("./web-push.ts"));

/** For a sign-out: the server removes the device with its session. */
export async function forgetWebPush(): Promise<void> {
  if (mayNotify()) await (await loadWebPush()).forgetWebPush();
}
