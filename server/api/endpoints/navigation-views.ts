import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, restOfPath, text } from "../../http/params.ts";
import { navigationViewToChange, newNameOf, newNavigationView } from "../access/navigation-views.ts";
import { addNavigationView, editNavigationView, removeNavigationView } from "../actions/navigation-views.ts";
import { wireNavigationView } from "../presenters/navigation-views.ts";
import { navigationViewsOf } from "../queries/navigation-views.ts";
import { endpoint } from "./endpoint.ts";

const fragment = restOfPath();

export const getNavigationViews = endpoint({
  route: "GET /navigation_views",
  summary: "List the caller's navigation views.",
  who: "guest",
  response: z.object({ navigation_views: z.array(wireNavigationView) }),
  handle: ({ viewer, reader }) => ({ navigation_views: navigationViewsOf(reader, viewer) }),
});

export const postNavigationView = endpoint({
  route: "POST /navigation_views",
  summary: "Add a navigation view.",
  who: "guest",
  params: {
    fragment: text().describe("The fragment of its URL, after #."),
    is_pinned: boolean(),
    name: text().optional().describe("Only for custom views."),
  },
  handle: ({ viewer, params, transact }) => {
    // Clients that send all fields as JSON send null for a missing name.
    const name = params.name === undefined || params.name === "null" ? null : params.name;
    transact((tx) => addNavigationView(tx, viewer, newNavigationView(tx, viewer, { ...params, name })));
  },
});

export const patchNavigationView = endpoint({
  route: "PATCH /navigation_views/{fragment}",
  summary: "Pin or rename a navigation view.",
  who: "guest",
  params: { fragment, is_pinned: boolean().optional(), name: text().optional() },
  handle: ({ viewer, params: { is_pinned, name, ...path }, transact }) => {
    transact((tx) => {
      const before = navigationViewToChange(tx, viewer, path.fragment);
      if (is_pinned === undefined && name === undefined) throw badRequest("nothing_to_change");
      const newName = name === undefined ? undefined : newNameOf(tx, viewer, before, name);
      editNavigationView(tx, viewer, before, { is_pinned, name: newName });
    });
  },
});

export const deleteNavigationView = endpoint({
  route: "DELETE /navigation_views/{fragment}",
  summary: "Remove a navigation view.",
  who: "guest",
  params: { fragment },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => removeNavigationView(tx, viewer, navigationViewToChange(tx, viewer, params.fragment))),
});
