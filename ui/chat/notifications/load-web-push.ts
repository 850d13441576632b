import { loadPart } from "../../parts/lazy-part.ts";
import { mayNotify } from "./push-registration.ts";

/** Loaded when it is needed, because most browsers have no Web Push. */
export const loadWebPush = () => loadPart(() => import("./web-push.ts"));

/** For a sign-out: the server removes the device with its session. */
export async function forgetWebPush(): Promise<void> {
  if (mayNotify()) await (await loadWebPush()).forgetWebPush();
}
