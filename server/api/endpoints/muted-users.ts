import { integer } from "../../http/params.ts";
import { userToMute, userToUnmute } from "../access/users.ts";
import { muteUser, unmuteUser } from "../actions/muted-users.ts";
import { endpoint } from "./endpoint.ts";

export const postMutedUser = endpoint({
  route: "POST /users/me/muted_users/{muted_user_id}",
  summary: "Mute a user. Their messages are marked as read.",
  who: "guest",
  params: { muted_user_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => muteUser(tx, viewer, userToMute(tx, viewer, params.muted_user_id))),
});

export const removeMutedUser = endpoint({
  route: "DELETE /users/me/muted_users/{muted_user_id}",
  summary: "Unmute a user.",
  who: "guest",
  params: { muted_user_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => unmuteUser(tx, viewer, userToUnmute(tx, viewer, params.muted_user_id))),
});
