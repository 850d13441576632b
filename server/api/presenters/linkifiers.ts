import { z } from "zod";
import { linkifiers, wireLinkifier } from "../queries/linkifiers.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  realm_linkifiers: registerPart({
    fields: { realm_linkifiers: z.array(wireLinkifier) },
    read: ({ reader, capabilities }) => ({
      realm_linkifiers: capabilities.linkifier_url_template ? [...linkifiers(reader)] : [],
    }),
    spectators: { realm_linkifiers: [] }, // what spectators read is already rendered
  }),
  // The form before URL templates, which cannot express them.
  realm_filters: registerPart({
    fields: { realm_filters: z.array(z.never()) },
    read: () => ({ realm_filters: [] }),
    spectators: "same",
  }),
};
