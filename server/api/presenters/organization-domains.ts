import { z } from "zod";
import { organizationDomains, wireDomain } from "../queries/organization-domains.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  realm_domains: registerPart({
    fields: { realm_domains: z.array(wireDomain) },
    read: ({ reader }) => ({ realm_domains: [...organizationDomains(reader)] }),
    spectators: { realm_domains: [] },
  }),
};
