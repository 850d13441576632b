import { z } from "zod";
import { badRequest, refusedParameter } from "../../errors.ts";
import { boolean, integer, isLonger, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { userToGiveStatus, userToSee } from "../access/users.ts";
import { existingEmoji } from "../actions/reactions.ts";
import { changeUserSettings } from "../actions/user-settings.ts";
import { setStatus } from "../actions/user-statuses.ts";
import { MAX_STATUS_LENGTH, statusOf, wireStatus } from "../presenters/user-statuses.ts";
import { REACTION_TYPES } from "../queries/emoji.ts";
import type { StoredStatus } from "../queries/user-statuses.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";

const params = {
  status_text: text().optional().describe(`At most ${MAX_STATUS_LENGTH} characters; an empty text clears it.`),
  emoji_name: text().optional().describe("An empty name clears the emoji."),
  emoji_code: text().optional().describe("Only with emoji_name; default: the code of that emoji."),
  reaction_type: text()
    .optional()
    .describe(`Only with emoji_name: one of ${REACTION_TYPES.join(", ")}.`),
};

/** Throws if the text is too long or the emoji does not exist. */
function changesIn(
  reader: Reader,
  { status_text, emoji_name: name, emoji_code, reaction_type }: ValuesOf<typeof params>,
) {
  const changes: Partial<StoredStatus> = {};
  if (status_text !== undefined) {
    changes.status_text = status_text.trim();
    if (isLonger(changes.status_text, MAX_STATUS_LENGTH))
      throw refusedParameter("status_text", "status_text_too_long", { count: MAX_STATUS_LENGTH });
  }
  // Clients that clear the emoji send three empty values.
  const [code, type] = [emoji_code || undefined, reaction_type || undefined];
  if (!name && (code !== undefined || type !== undefined)) throw badRequest("emoji_name_missing");
  if (name === "") Object.assign(changes, { emoji_name: "", emoji_code: "", reaction_type: "" });
  else if (name !== undefined) Object.assign(changes, existingEmoji(reader, { name, code, type }));
  return changes;
}

const noNewValues = () => badRequest("no_status_given");

export const postOwnStatus = endpoint({
  route: "POST /users/me/status",
  summary: "Set the caller's status. Omitted fields do not change.",
  who: "guest",
  bots: false,
  params: {
    ...params,
    away: boolean().optional().describe("Deprecated: hides the caller's presence or shows it again."),
  },
  handle: ({ viewer, params: { away, ...given }, transact }) => {
    transact((tx) => {
      const changes = changesIn(tx, given);
      if (Object.keys(changes).length === 0 && away === undefined) throw noNewValues();
      setStatus(tx, viewer, viewer, changes);
      if (away !== undefined) changeUserSettings(tx, viewer, { presence_enabled: !away });
    });
  },
});

export const postStatus = endpoint({
  route: "POST /users/{user_id}/status",
  summary: "Set a user's status.",
  who: "administrator",
  refusal: () => badRequest("status_administrators_only"),
  params: { user_id: integer(), ...params },
  handle: ({ viewer, params: { user_id, ...given }, transact }) => {
    transact((tx) => {
      const user = userToGiveStatus(tx, viewer, user_id);
      const changes = changesIn(tx, given);
      if (Object.keys(changes).length === 0) throw noNewValues();
      setStatus(tx, viewer, user, changes);
    });
  },
});

export const getStatus = endpoint({
  route: "GET /users/{user_id}/status",
  summary: "Get a user's status.",
  who: "guest",
  params: { user_id: integer() },
  response: z.object({ status: wireStatus }),
  handle: ({ viewer, params, reader }) => ({ status: statusOf(reader, userToSee(reader, viewer, params.user_id)) }),
});
