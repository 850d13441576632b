import { assertNotLastOwner, userToDeactivate, userToReactivate } from "../access/user-permissions.ts";
import { deactivateUser, reactivateUser } from "../actions/user-deactivation.ts";
import { integer, text } from "../http/params.ts";
import { endpoint } from "./endpoint.ts";

export const deactivateSelf = endpoint({
  route: "DELETE /users/me",
  summary: "Deactivate one's own account; an administrator can bring it back. Refused to the only owner.",
  who: "member",
  guests: true,
  handle: ({ viewer, reader, transact }) => {
    assertNotLastOwner(reader, viewer);
    transact((tx) => deactivateUser(tx, viewer, viewer));
    return {};
  },
});

export const deactivate = endpoint({
  route: "DELETE /users/{user_id}",
  summary: "Deactivate a person, with their bots, or a bot. What they wrote stays.",
  who: "administrator",
  params: {
    user_id: integer(),
    deactivation_notification_comment: text()
      .maxLength(2000)
      .optional()
      .describe("Why; kept in the audit, since no mail is configured that could tell them."),
  },
  handle: ({ viewer, params, reader, transact }) => {
    const user = userToDeactivate(reader, viewer, params.user_id);
    transact((tx) => deactivateUser(tx, viewer, user, params.deactivation_notification_comment));
    return {};
  },
});

export const reactivate = endpoint({
  route: "POST /users/{user_id}/reactivate",
  summary: "Let a deactivated person or bot in again, with their subscriptions. A key from before stays void.",
  who: "member",
  params: { user_id: integer() },
  handle: ({ viewer, params, reader, transact }) => {
    const user = userToReactivate(reader, viewer, params.user_id);
    transact((tx) => reactivateUser(tx, viewer, user));
    return {};
  },
});
