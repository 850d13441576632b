import { navigationViewsOf } from "../queries/navigation-views.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  navigation_views: ({ reader, viewer }) => ({ navigation_views: navigationViewsOf(reader, viewer) }),
};
