import { Store } from "../../api/store.ts";

/** Whether this browser shows notifications. It never does at insecure URLs. */
export const mayNotify = (): boolean => "Notification" in window && Notification.permission === "granted";

/**
 * The service worker's registration while this browser has Web Push. The page then shows its own notifications through
 * the service worker too, so that it and a push for the same message have one notification.
 */
export const pushRegistration = new Store<ServiceWorkerRegistration | undefined>(undefined);
