import type { Answer, Client } from "../../api/client.ts";
import { pushRegistration } from "./push-registration.ts";

export const PUSH_ROUTE = "GET /users/me/web_push";
type WebPush = Answer<typeof PUSH_ROUTE>;

/** The desktop app has no push service. */
export const isInBrowser = (): boolean => window.location.protocol.startsWith("http");
export const offersWebPush = (): boolean =>
  isInBrowser() && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Tabs take turns, so that none sees a subscription that another is about to register. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request("hearth-web-push", work) as Promise<T>;

async function subscriptionHere(): Promise<[ServiceWorkerRegistration?, PushSubscription?]> {
  if (!offersWebPush()) return [];
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  return registration && subscription ? [registration, subscription] : [];
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

async function digestOf({ endpoint }: PushSubscription): Promise<string> {
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
}

/** The id of this browser among the person's devices. */
export async function deviceHere({ devices }: WebPush): Promise<number | undefined> {
  const [, subscription] = await subscriptionHere();
  const digest = subscription && (await digestOf(subscription));
  return devices.find(({ endpoint_digest }) => endpoint_digest === digest)?.id;
}

/** Asks for permission if needed. @throws if the browser or its push service refuses */
export async function turnOnWebPush(client: Client): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw new PermissionDenied();
  await inTurn(async () => {
    const { public_key } = await client.call(PUSH_ROUTE, {});
    await navigator.serviceWorker.register("/sw.js");
    await subscribe(client, await navigator.serviceWorker.ready, public_key);
  });
}

export class PermissionDenied extends Error {
  override readonly name = "PermissionDenied";
}

async function subscribe(client: Client, registration: ServiceWorkerRegistration, publicKey: string): Promise<void> {
  const old = await registration.pushManager.getSubscription();
  if (old && keyOf(old) !== publicKey) await old.unsubscribe(); // no browser subscribes with two keys
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  await register(client, subscription);
  pushRegistration.set(registration);
}

const keyOf = ({ options }: PushSubscription): string =>
  options.applicationServerKey ? base64url(options.applicationServerKey) : "";

async function register(client: Client, subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await client.call("POST /users/me/web_push/devices", {
    endpoint: endpoint as string,
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
  });
}

export const turnOffWebPush = (client: Client, deviceId: number | undefined): Promise<void> =>
  inTurn(async () => {
    await forgetSubscription();
    if (deviceId !== undefined)
      await client.call("DELETE /users/me/web_push/devices/{device_id}", { device_id: deviceId });
  });

async function forgetSubscription(): Promise<void> {
  pushRegistration.set(undefined);
  const [, subscription] = await subscriptionHere();
  await subscription?.unsubscribe();
}

/** For a sign-out: the server removes the device with its session. */
export const forgetWebPush = (): Promise<void> =>
  offersWebPush() ? inTurn(forgetSubscription).catch(() => {}) : Promise.resolve();

/**
 * Compares this browser's subscription with the server. It ends if the server does not have it: it belongs to another
 * account, or was removed elsewhere. After `hearth rotate-secret`, the browser subscribes again with the new key.
 */
export async function checkWebPush(client: Client): Promise<void> {
  if (!(await subscriptionHere())[1]) return;
  await inTurn(async () => {
    const [registration, subscription] = await subscriptionHere();
    if (!registration || !subscription) return;
    const answer = await client.call(PUSH_ROUTE, {});
    const id = await deviceHere(answer);
    if (id === undefined) return forgetSubscription();
    pushRegistration.set(registration);
    if (!answer.is_on) return;
    if (keyOf(subscription) === answer.public_key) return register(client, subscription);
    await subscribe(client, registration, answer.public_key);
    await client.call("DELETE /users/me/web_push/devices/{device_id}", { device_id: id });
  });
}

/** The data of a notification that the service worker shows. */
export interface PushedData {
  readonly url: string;
  readonly message_id: number | null;
}

const messageOf = ({ data }: Notification): number | null => (data as PushedData | null)?.message_id ?? null;

/** Shows a message's notification, unless its push was faster. Tags are equal to those of pushes. */
export async function showByWorker(
  registration: ServiceWorkerRegistration,
  title: string,
  options: NotificationOptions & { tag: string; data: PushedData },
): Promise<void> {
  const shown = await registration.getNotifications({ tag: options.tag });
  if (shown.some((one) => messageOf(one) === options.data.message_id)) return;
  await registration.showNotification(title, options);
}

export async function closePushed(isRead: (messageId: number) => boolean): Promise<void> {
  for (const shown of (await pushRegistration.value?.getNotifications()) ?? []) {
    const id = messageOf(shown);
    if (id !== null && isRead(id)) shown.close();
  }
}
