import { integer } from "../../http/params.ts";
import { userToChange } from "../access/user-permissions.ts";
import { userAccount, wireUserAccount } from "../presenters/users.ts";
import { endpoint } from "./endpoint.ts";

export const getUserAccount = endpoint({
  route: "GET /host/users/{user_id}",
  summary: "What belongs to an account: channels, sessions, open apps, messages that are still to be sent.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  response: wireUserAccount,
  handle: ({ viewer, params, reader, app, session }) => {
    const user = userToChange(reader, viewer, params.user_id);
    const listening = app.queues.listeningCount(user.id);
    return userAccount(reader, viewer, user, { now: app.now(), token: session, listening });
  },
});
