import { z } from "zod";
import { integer, listOf, text } from "../../http/params.ts";
import { MAX_ALTERNATIVES, MAX_REVERSAL_LENGTH } from "../../markdown/linkifiers.ts";
import { completeLinkifierOrder, linkifierToChange, validLinkifier } from "../access/linkifiers.ts";
import { addLinkifier, changeLinkifier, removeLinkifier, reorderLinkifiers } from "../actions/linkifiers.ts";
import { wireLinkifier } from "../presenters/linkifiers.ts";
import { linkifiers } from "../queries/linkifiers.ts";
import { endpoint } from "./endpoint.ts";

const settings = {
  pattern: text().describe("An RE2 regular expression. Its named groups are variables of the template."),
  url_template: text().describe("An RFC 6570 URL template."),
  example_input: text().maxLength(MAX_REVERSAL_LENGTH).optional().describe("A text that the pattern matches."),
  reverse_template: text()
    .maxLength(MAX_REVERSAL_LENGTH)
    .optional()
    .describe("The text for a URL, with groups of the pattern as {name}; {{ and }} are braces. Needs example_input."),
  alternative_url_templates: listOf(z.string(), MAX_ALTERNATIVES)
    .optional()
    .describe("RFC 6570 templates of other URLs that clients can replace by the text."),
};

export const getLinkifiers = endpoint({
  route: "GET /realm/linkifiers",
  summary: "List linkifiers: patterns that become links in messages and topics, in order of precedence.",
  who: "guest",
  response: z.object({ linkifiers: z.array(wireLinkifier) }),
  handle: ({ reader }) => ({ linkifiers: [...linkifiers(reader)] }),
});

export const postLinkifier = endpoint({
  route: "POST /realm/filters",
  summary: "Add a linkifier at the end.",
  who: "administrator",
  params: settings,
  response: z.object({ id: z.int() }),
  handle: ({ viewer, params, transact }) => ({
    id: transact((tx) => addLinkifier(tx, viewer, validLinkifier(tx, params))),
  }),
});

export const patchLinkifier = endpoint({
  route: "PATCH /realm/filters/{filter_id}",
  summary: "Change a linkifier.",
  who: "administrator",
  params: { filter_id: integer(), ...settings },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const before = linkifierToChange(tx, params.filter_id);
      changeLinkifier(tx, viewer, before, validLinkifier(tx, params, before));
    });
  },
});

export const deleteLinkifier = endpoint({
  route: "DELETE /realm/filters/{filter_id}",
  summary: "Remove a linkifier.",
  who: "administrator",
  params: { filter_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removeLinkifier(tx, viewer, linkifierToChange(tx, params.filter_id))),
});

export const patchLinkifierOrder = endpoint({
  route: "PATCH /realm/linkifiers",
  summary: "Reorder linkifiers.",
  who: "administrator",
  params: { ordered_linkifier_ids: listOf(integer()).describe("The IDs of all linkifiers.") },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => reorderLinkifiers(tx, viewer, completeLinkifierOrder(tx, params.ordered_linkifier_ids))),
});
