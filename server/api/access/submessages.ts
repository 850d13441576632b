import { z } from "zod";
import { badRequest, shortened } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type MessageRow, widgetOf } from "../queries/messages.ts";
import type { User } from "../queries/users.ts";
import { messageToRespondTo } from "./messages.ts";

interface WidgetAction {
  /** Includes `type`. */
  readonly fields: z.ZodType;
  /** Only the sender of the message may do it. */
  readonly authorOnly?: boolean;
}

/** Actions by widget type. Clients do not validate them. */
const WIDGET_ACTIONS: Record<string, Record<string, WidgetAction>> = {
  poll: {
    vote: { fields: z.strictObject({ type: z.string(), key: z.string(), vote: z.literal([1, -1]) }) },
    new_option: { fields: z.strictObject({ type: z.string(), idx: z.int(), option: z.string() }) },
    question: { fields: z.strictObject({ type: z.string(), question: z.string() }), authorOnly: true },
  },
  todo: {
    new_task: {
      fields: z.strictObject({
        type: z.string(),
        key: z.int(),
        task: z.string(),
        desc: z.string(),
        completed: z.boolean(),
      }),
    },
    strike: { fields: z.strictObject({ type: z.string(), key: z.string() }) },
    new_task_list_title: { fields: z.strictObject({ type: z.string(), title: z.string() }), authorOnly: true },
  },
};

/** Total of all submessages of a message. Every reader gets all of them. */
const MAX_WIDGET_LENGTH = 400_000;

export function messageToAttachTo(reader: Reader, viewer: User, id: number, content: string): MessageRow {
  const { row } = messageToRespondTo(reader, viewer, id);
  const widget = widgetOf(row);
  if (!widget) throw badRequest("submessages_not_allowed");
  const data = parsed(content);
  const type = typeof data === "object" && data !== null && "type" in data ? data.type : undefined;
  if (typeof type !== "string") throw badRequest("submessage_type_missing");
  const actions = WIDGET_ACTIONS[widget] ?? {};
  const action = Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (!action) throw badRequest("unknown_widget_action", { widget, type: shortened(type) });
  const wrong = action.fields.safeParse(data).error?.issues[0];
  if (wrong)
    throw badRequest("invalid_widget_data", { type, cause: [...wrong.path.map(String), wrong.message].join(": ") });
  const length = row.submessages.reduce((sum, one) => sum + one.content.length, content.length);
  if (length > MAX_WIDGET_LENGTH) throw badRequest("widget_data_too_long", { count: MAX_WIDGET_LENGTH });
  if (action.authorOnly && viewer.id !== row.sender_id) throw badRequest("author_only");
  return row;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw badRequest("submessage_not_json");
  }
}
