import { z } from "zod";
import { navigationViewsOf } from "../queries/navigation-views.ts";
import { registerPart } from "./register-part.ts";

/** A view in a person's navigation, and whether it is pinned (docs/protocol.md#other-records). */
export const wireNavigationView = z.object({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable().describe("Null for built-in views, which clients name."),
});
export type WireNavigationView = z.output<typeof wireNavigationView>;

export const registerParts = {
  navigation_views: registerPart({
    fields: { navigation_views: z.array(wireNavigationView) },
    read: ({ reader, viewer }) => ({ navigation_views: navigationViewsOf(reader, viewer) }),
    spectators: { navigation_views: [] },
  }),
};
