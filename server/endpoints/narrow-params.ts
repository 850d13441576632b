import { z } from "zod";
import { badRequest, missingParameter } from "../errors.ts";
import { json } from "../http/params.ts";
import type { Anchor } from "../queries/messages.ts";
import { MOST_NARROW_TERMS } from "../queries/narrow.ts";

export const narrowParam = json(
  z
    .array(
      z.union([
        z.object({ operator: z.string(), operand: z.unknown(), negated: z.boolean().optional() }),
        z.tuple([z.string(), z.unknown()]),
      ]),
    )
    .max(MOST_NARROW_TERMS),
);

/** Of one request. */
export const MOST_MESSAGES = 5000;
const END_ANCHORS = ["newest", "oldest", "first_unread"] as const;

/** Numbers beyond any id mean the nearest end, as clients write them. */
export function anchorIn(anchor: string | undefined, useFirstUnread: boolean): Anchor {
  if (useFirstUnread) return "first_unread";
  if (anchor === undefined) throw missingParameter("anchor");
  const end = END_ANCHORS.find((name) => name === anchor);
  if (end) return end;
  if (!/^-?\d{1,30}$/.test(anchor)) throw badRequest("anchor is a message ID, newest, oldest or first_unread.");
  return Number(anchor);
}
