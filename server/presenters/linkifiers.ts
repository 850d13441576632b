import { z } from "zod";
import { linkifiers, wireLinkifier } from "../queries/linkifiers.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  realm_linkifiers: registerPart({ realm_linkifiers: z.array(wireLinkifier) }, ({ reader, capabilities }) => ({
    realm_linkifiers: capabilities.linkifier_url_template ? [...linkifiers(reader)] : [],
  })),
  // The form before URL templates, which cannot be written as that.
  realm_filters: registerPart({ realm_filters: z.array(z.never()) }, () => ({ realm_filters: [] })),
};
