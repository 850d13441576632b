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
  summary: "The views that one keeps at hand.",
  who: "member",
  guests: true,
  response: z.object({ navigation_views: z.array(wireNavigationView) }),
  handle: ({ viewer, reader }) => ({ navigation_views: navigationViewsOf(reader, viewer) }),
});

export const postNavigationView = endpoint({
  route: "POST /navigation_views",
  summary: "Keep a view at hand.",
  who: "member",
  guests: true,
  params: {
    fragment: text().describe("What stands behind # in its address."),
    is_pinned: boolean(),
    name: text().optional().describe("For views of one's own only."),
  },
  handle: ({ viewer, params, transact }) => {
    // Clients that send every field as JSON send null for no name.
    const name = params.name === undefined || params.name === "null" ? null : params.name;
    transact((tx) => addNavigationView(tx, viewer, newNavigationView(tx, viewer, { ...params, name })));
    return {};
  },
});

export const patchNavigationView = endpoint({
  route: "PATCH /navigation_views/{fragment}",
  summary: "Pin or rename a view that one keeps.",
  who: "member",
  guests: true,
  params: { fragment, is_pinned: boolean().optional(), name: text().optional() },
  handle: ({ viewer, params: { is_pinned, name, ...path }, transact }) => {
    transact((tx) => {
      const before = navigationViewToChange(tx, viewer, path.fragment);
      if (is_pinned === undefined && name === undefined) throw badRequest("No change was asked for.");
      const newName = name === undefined ? undefined : newNameOf(tx, viewer, before, name);
      editNavigationView(tx, viewer, before, { is_pinned, name: newName });
    });
    return {};
  },
});

export const deleteNavigationView = endpoint({
  route: "DELETE /navigation_views/{fragment}",
  summary: "Keep a view no longer.",
  who: "member",
  guests: true,
  params: { fragment },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => removeNavigationView(tx, viewer, navigationViewToChange(tx, viewer, params.fragment)));
    return {};
  },
});
