import { integer, text } from "../../http/params.ts";
import { messageToRespondTo } from "../access/messages.ts";
import { addReaction, removeReaction } from "../actions/reactions.ts";
import { REACTION_TYPES } from "../queries/emoji.ts";
import { endpoint } from "./endpoint.ts";

const emoji_code = text()
  .optional()
  .describe("Code points in hexadecimal, separated by dashes; a custom emoji's ID; or a name.");
const reaction_type = text()
  .optional()
  .describe(`One of ${REACTION_TYPES.join(", ")}.`);

export const react = endpoint({
  route: "POST /messages/{message_id}/reactions",
  summary: "Add a reaction to a message.",
  who: "guest",
  params: { message_id: integer(), emoji_name: text(), emoji_code, reaction_type },
  handle: ({ viewer, params, transact }) => {
    const emoji = { name: params.emoji_name, code: params.emoji_code, type: params.reaction_type };
    transact((tx) => addReaction(tx, viewer, messageToRespondTo(tx, viewer, params.message_id), emoji));
  },
});

export const deleteReaction = endpoint({
  route: "DELETE /messages/{message_id}/reactions",
  summary: "Remove a reaction of the caller.",
  who: "guest",
  params: {
    message_id: integer(),
    emoji_name: text().optional().describe("Required without emoji_code."),
    emoji_code,
    reaction_type,
  },
  handle: ({ viewer, params, transact }) => {
    const emoji = { name: params.emoji_name, code: params.emoji_code, type: params.reaction_type };
    transact((tx) => removeReaction(tx, viewer, messageToRespondTo(tx, viewer, params.message_id), emoji));
  },
});
