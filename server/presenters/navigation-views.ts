import { z } from "zod";
import { navigationViewsOf, wireNavigationView } from "../queries/navigation-views.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  navigation_views: registerPart({ navigation_views: z.array(wireNavigationView) }, ({ reader, viewer }) => ({
    navigation_views: navigationViewsOf(reader, viewer),
  })),
};
