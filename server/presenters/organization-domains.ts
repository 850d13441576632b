import { z } from "zod";
import { organizationDomains, wireDomain } from "../queries/organization-domains.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  realm_domains: registerPart({ realm_domains: z.array(wireDomain) }, ({ reader }) => ({
    realm_domains: [...organizationDomains(reader)],
  })),
};
