import { botWidget } from "../../api/actions/submessages.ts";
import { MAX_MESSAGE_LENGTH } from "../../api/queries/messages.ts";

/** The message that a receiver wants from its bot; "nothing" if it wants none. */
export type Answer = { content: string; widget?: object } | "nothing";

/**
 * Parses a receiver's response (docs/protocol.md#outgoing-webhooks). A response that is empty, has no text or says that
 * no response is required asks for no message. Returns an error text for a response that cannot be parsed.
 */
export function readAnswer(body: string): Answer | { error: string } {
  if (body.trim() === "") return "nothing";
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { error: "The answer is not JSON." };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { error: "The answer is no JSON object." };
  const { response_not_required, content, response_string, text, widget_content } = json as Record<string, unknown>;
  if (response_not_required === true) return "nothing";
  const said = content ?? response_string ?? text;
  if (said === undefined || said === null) return "nothing";
  if (typeof said !== "string") return { error: "The answer's content is not a text." };
  if (said.trim() === "") return "nothing";
  if (widget_content === undefined || widget_content === null) return { content: said };
  const given = typeof widget_content === "string" ? parsed(widget_content) : widget_content;
  const widget = botWidget.safeParse(given);
  if (!widget.success) return { error: "The answer's widget_content is no zform with choices." };
  if (JSON.stringify(widget.data).length > MAX_MESSAGE_LENGTH)
    return { error: `The answer's widget_content is too long: at most ${MAX_MESSAGE_LENGTH} characters.` };
  return { content: said, widget: widget.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
