import { z } from "zod";
import { integer, listOf, text } from "../../http/params.ts";
import { completeLinkifierOrder, linkifierToChange, validLinkifier } from "../access/linkifiers.ts";
import { addLinkifier, changeLinkifier, removeLinkifier, reorderLinkifiers } from "../actions/linkifiers.ts";
import { wireLinkifier } from "../presenters/linkifiers.ts";
import { linkifiers } from "../queries/linkifiers.ts";
import { endpoint } from "./endpoint.ts";

const settings = {
  pattern: text().describe("A regular expression of RE2; its named groups are the template's variables."),
  url_template: text().describe("An RFC 6570 template of a web address."),
};

export const getLinkifiers = endpoint({
  route: "GET /realm/linkifiers",
  summary: "Patterns whose matches in messages and topics become links, in the order of precedence.",
  who: "member",
  guests: true,
  response: z.object({ linkifiers: z.array(wireLinkifier) }),
  handle: ({ reader }) => ({ linkifiers: [...linkifiers(reader)] }),
});

export const postLinkifier = endpoint({
  route: "POST /realm/filters",
  summary: "Add a linkifier behind the others.",
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
    return {};
  },
});

export const deleteLinkifier = endpoint({
  route: "DELETE /realm/filters/{filter_id}",
  summary: "Remove a linkifier.",
  who: "administrator",
  params: { filter_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => removeLinkifier(tx, viewer, linkifierToChange(tx, params.filter_id)));
    return {};
  },
});

export const patchLinkifierOrder = endpoint({
  route: "PATCH /realm/linkifiers",
  summary: "Put the linkifiers into another order of precedence.",
  who: "administrator",
  params: { ordered_linkifier_ids: listOf(integer()).describe("The ID of every linkifier.") },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => reorderLinkifiers(tx, viewer, completeLinkifierOrder(tx, params.ordered_linkifier_ids)));
    return {};
  },
});
