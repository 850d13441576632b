import { organizationDomains } from "../queries/organization-domains.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  realm_domains: ({ reader }) => ({ realm_domains: organizationDomains(reader) }),
};
