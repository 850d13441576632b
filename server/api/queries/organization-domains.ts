import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";

/** A domain of email addresses that may join while `emails_restricted_to_domains` is on. */
export const wireDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() });
export type WireDomain = z.output<typeof wireDomain>;

/** By name. */
export const organizationDomains = (reader: Reader): readonly WireDomain[] =>
  reader.derived("organization domains", ["organization_domains"], (rows) =>
    rows
      .all<{ domain: string; allow_subdomains: number }>(
        "SELECT domain, allow_subdomains FROM organization_domains ORDER BY domain",
      )
      .map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 })),
  );
