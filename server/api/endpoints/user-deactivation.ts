import { integer, text } from "../../http/params.ts";
import { assertNotLastOwner, userToDeactivate, userToReactivate } from "../access/user-permissions.ts";
import { deactivateUser, reactivateUser } from "../actions/user-deactivation.ts";
import { endpoint } from "./endpoint.ts";

export const deactivateSelf = endpoint({
  route: "DELETE /users/me",
  summary: "Deactivate one's own account; an administrator can bring it back. Refused to the only owner.",
  who: "member",
  guests: true,
  handle: ({ viewer, transact }) => {
    transact((tx) => {
      assertNotLastOwner(tx, viewer);
      deactivateUser(tx, viewer, viewer);
    });
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
  handle: ({ viewer, params, transact }) => {
    const { user_id, deactivation_notification_comment: comment } = params;
    transact((tx) => deactivateUser(tx, viewer, userToDeactivate(tx, viewer, user_id), comment));
    return {};
  },
});

export const reactivate = endpoint({
  route: "POST /users/{user_id}/reactivate",
  summary: "Let a deactivated person or bot in again, with their subscriptions. A key from before stays void.",
  who: "member",
  params: { user_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => reactivateUser(tx, viewer, userToReactivate(tx, viewer, params.user_id)));
    return {};
  },
});
