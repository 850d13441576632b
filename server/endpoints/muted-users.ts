import { userToMute, userToUnmute } from "../access/muted-users.ts";
import { muteUser, unmuteUser } from "../actions/muted-users.ts";
import { integer } from "../http/params.ts";
import { endpoint } from "./endpoint.ts";

export const postMutedUser = endpoint({
  route: "POST /users/me/muted_users/{muted_user_id}",
  summary: "Mute somebody: what they write counts as read.",
  who: "member",
  guests: true,
  params: { muted_user_id: integer() },
  handle: ({ viewer, params, reader, transact }) => {
    const user = userToMute(reader, viewer, params.muted_user_id);
    transact((tx) => muteUser(tx, viewer, user));
    return {};
  },
});

export const removeMutedUser = endpoint({
  route: "DELETE /users/me/muted_users/{muted_user_id}",
  summary: "Mute somebody no longer.",
  who: "member",
  guests: true,
  params: { muted_user_id: integer() },
  handle: ({ viewer, params, reader, transact }) => {
    const user = userToUnmute(reader, viewer, params.muted_user_id);
    transact((tx) => unmuteUser(tx, viewer, user));
    return {};
  },
});
