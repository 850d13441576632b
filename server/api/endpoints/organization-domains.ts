import { z } from "zod";
import { boolean, text } from "../../http/params.ts";
import { domainOnList, newDomain } from "../access/organization-domains.ts";
import { addDomain, changeDomain, removeDomain } from "../actions/organization-domains.ts";
import { wireDomain } from "../presenters/organization.ts";
import { organizationDomains } from "../queries/organization.ts";
import { endpoint } from "./endpoint.ts";

export const getDomains = endpoint({
  route: "GET /realm/domains",
  summary: "List email domains that can join while emails_restricted_to_domains is on.",
  who: "guest",
  response: z.object({ domains: z.array(wireDomain) }),
  handle: ({ reader }) => ({ domains: [...organizationDomains(reader)] }),
});

export const postDomain = endpoint({
  route: "POST /realm/domains",
  summary: "Allow an email domain.",
  who: "owner",
  params: { domain: text(), allow_subdomains: boolean() },
  response: z.object({ new_domain: z.tuple([z.int(), z.string()]) }),
  handle: ({ viewer, params, transact }) => ({
    new_domain: transact((tx): [number, string] => {
      const domain = newDomain(tx, params.domain);
      return [addDomain(tx, viewer, { domain, allow_subdomains: params.allow_subdomains }), domain];
    }),
  }),
});

export const patchDomain = endpoint({
  route: "PATCH /realm/domains/{domain}",
  summary: "Change whether subdomains are allowed.",
  who: "owner",
  params: { domain: text(), allow_subdomains: boolean() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => changeDomain(tx, viewer, domainOnList(tx, params.domain), params.allow_subdomains)),
});

export const deleteDomain = endpoint({
  route: "DELETE /realm/domains/{domain}",
  summary: "Remove an email domain. Removing the last domain turns the restriction off.",
  who: "owner",
  params: { domain: text() },
  handle: ({ viewer, params, transact }) => transact((tx) => removeDomain(tx, viewer, domainOnList(tx, params.domain))),
});
