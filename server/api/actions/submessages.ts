import { z } from "zod";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanRead } from "../access/messages.ts";
import { messageIndex } from "../queries/message-index.ts";
import type { MessageRow, Submessage } from "../queries/messages.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";
import { policyAfterTakingPart } from "./topics.ts";

/** Buttons that a bot can add to a message. */
export const botWidget = z.object({
  widget_type: z.literal("zform"),
  extra_data: z.object({
    type: z.literal("choices"),
    heading: z.string().optional(),
    choices: z.array(
      z.object({
        type: z.string().optional(),
        short_name: z.string(),
        long_name: z.string(),
        reply: z.string(),
      }),
    ),
  }),
});

/** The protocol has only this type. */
export const SUBMESSAGE_TYPE = "widget";

/** For example a vote or a new task. */
export function addSubmessage(tx: Transaction, actor: User, row: MessageRow, content: string): void {
  const { id, message_id, msg_type, sender_id } = attach(tx, actor, row.id, content);
  const index = messageIndex(tx);
  tx.afterCommit(() => index.rows.delete(row.id));
  tx.emit(
    { type: "submessage", msg_type, content, message_id, sender_id, submessage_id: id },
    { users: usersWhoCanRead(tx, row) },
  );
  policyAfterTakingPart(tx, actor, row);
}

/** Uses the given widget, or a widget that a command in the text starts. Sends no events. */
export function startWidget(
  tx: Transaction,
  sender: User,
  messageId: number,
  { content, widget = widgetIn(content) }: { content: string; widget?: object | undefined },
): Submessage[] {
  return widget ? [attach(tx, sender, messageId, JSON.stringify(widget))] : [];
}

function attach(tx: Transaction, sender: User, message_id: number, content: string): Submessage {
  const id = insertRow(tx, "submessages", { message_id, sender_id: sender.id, msg_type: SUBMESSAGE_TYPE, content });
  return { id, message_id, sender_id: sender.id, msg_type: SUBMESSAGE_TYPE, content };
}

const COMMAND = /^\/(poll|todo)(?=\s|$)/;

/**
 * Parses `/poll Question` or `/todo Title`. Each following line is an option or a task (`task: description`), with an
 * optional bullet.
 */
function widgetIn(content: string): object | undefined {
  const [command, type] = COMMAND.exec(content) ?? [];
  if (!command) return undefined;
  const [heading = "", ...lines] = content.slice(command.length).split("\n");
  const items = lines.map((line) => line.trim().replace(/^[-*]\s*/, "")).filter((line) => line !== "");
  if (type === "poll") return { widget_type: type, extra_data: { question: heading.trim(), options: items } };
  const tasks = items.map((item) => {
    const [, task = item, desc = ""] = /^(.*?):(.*)$/.exec(item) ?? [];
    return { task: task.trim(), desc: desc.trim() };
  });
  const named = tasks.filter(({ task }) => task !== "");
  return { widget_type: type, extra_data: { task_list_title: heading.trim(), tasks: named } };
}
