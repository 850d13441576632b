import { z } from "zod";
import { integer, text } from "../../http/params.ts";
import { newPlayground, playgroundToRemove } from "../access/playgrounds.ts";
import { addPlayground, removePlayground } from "../actions/playgrounds.ts";
import { MAX_PLAYGROUND_LANGUAGE_LENGTH, MAX_PLAYGROUND_NAME_LENGTH } from "../queries/playgrounds.ts";
import { endpoint } from "./endpoint.ts";

export const postPlayground = endpoint({
  route: "POST /realm/playgrounds",
  summary: "Add a site that runs code of a language. Clients open it from a message.",
  who: "administrator",
  params: {
    name: text().describe(`At most ${MAX_PLAYGROUND_NAME_LENGTH} characters.`),
    pygments_language: text().describe(
      `As data-code-language of a code block; at most ${MAX_PLAYGROUND_LANGUAGE_LENGTH} characters.`,
    ),
    url_template: text().describe("An RFC 6570 URL template with `code` as its only variable."),
  },
  response: z.object({ id: z.int() }),
  handle: ({ viewer, params, transact }) => ({
    id: transact((tx) => addPlayground(tx, viewer, newPlayground(tx, params))),
  }),
});

export const deletePlayground = endpoint({
  route: "DELETE /realm/playgrounds/{playground_id}",
  summary: "Remove a playground.",
  who: "administrator",
  params: { playground_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removePlayground(tx, viewer, playgroundToRemove(tx, params.playground_id))),
});
