import { z } from "zod";
import { navigationViewsOf, wireNavigationView } from "../queries/navigation-views.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  navigation_views: registerPart({
    fields: { navigation_views: z.array(wireNavigationView) },
    read: ({ reader, viewer }) => ({ navigation_views: navigationViewsOf(reader, viewer) }),
    spectators: { navigation_views: [] },
  }),
};
