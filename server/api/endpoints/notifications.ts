import { oneOf } from "../../http/params.ts";
import { assertDevice } from "../access/notifications.ts";
import { sendTestNotification } from "../actions/notifications.ts";
import { DEVICES } from "../queries/notifications.ts";
import { endpoint } from "./endpoint.ts";

export const testNotification = endpoint({
  route: "POST /users/me/notifications/test",
  summary: "Send a test notification to the caller's devices of one kind. It ignores settings and quiet hours.",
  who: "guest",
  bots: false,
  params: { device: oneOf(...DEVICES) },
  handle: ({ viewer, params: { device }, transact, app }) => {
    transact((tx) => {
      assertDevice(tx, viewer, device);
      sendTestNotification(tx, viewer.id, device);
    });
    app.notifications.announce();
  },
});
