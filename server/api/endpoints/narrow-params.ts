import { z } from "zod";
import type { App } from "../../app.ts";
import { missingParameter, refusedParameter } from "../../errors.ts";
import { json } from "../../http/params.ts";
import { runInSlices, type SlicedCall, tookTooLong } from "../../http/run-in-slices.ts";
import type { Anchor } from "../../search/fetched-messages.ts";
import { improveIndex } from "../../search/indexing.ts";
import { MAX_NARROW_TERMS, type NarrowTerm } from "../../search/narrow-terms.ts";
import { isSearchReady } from "../../search/search-index.ts";
import type { Reader } from "../../storage/transaction.ts";

export const narrowParam = json(
  z
    .array(
      z.union([
        z.object({ operator: z.string(), operand: z.unknown(), negated: z.boolean().optional() }),
        z.tuple([z.string(), z.unknown()]),
      ]),
    )
    .max(MAX_NARROW_TERMS),
).describe("All terms must match: {operator, operand, negated?} or [operator, operand].");

/** Per request. */
export const MAX_MESSAGES = 5000;
const END_ANCHORS = ["newest", "oldest", "first_unread"] as const;

/** Numbers beyond all IDs mean the nearest end. */
export function anchorIn(anchor: string | undefined, useFirstUnread: boolean): Anchor {
  if (useFirstUnread) return "first_unread";
  if (anchor === undefined) throw missingParameter("anchor");
  const end = END_ANCHORS.find((name) => name === anchor);
  if (end) return end;
  if (!/^-?\d{1,30}$/.test(anchor)) throw refusedParameter("anchor", "invalid_anchor");
  return Number(anchor);
}

/** A date is its first moment in UTC. */
export function dateAnchor(written: string | undefined): Anchor {
  if (written === undefined) throw missingParameter("anchor_date");
  if (!isoTime.safeParse(written).success) throw refusedParameter("anchor_date", "not_iso_time");
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(written) || !written.includes("T");
  return { since: Date.parse(hasZone ? written : `${written}Z`) };
}
const isoTime = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** If too many messages are not indexed yet, for example after an update, indexes some of them first. */
export async function readyToSearch(
  call: SlicedCall & { readonly app: App; readonly reader: Reader },
  narrow: readonly NarrowTerm[],
): Promise<void> {
  const { app, reader } = call;
  if (!narrow.some(({ operator }) => operator === "search") || isSearchReady(reader)) return;
  const slice = () => improveIndex(app.store) || isSearchReady(reader);
  if (!(await runInSlices(call, slice))) throw tookTooLong("search_not_ready");
}
