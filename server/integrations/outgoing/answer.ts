import { botWidget } from "../../api/actions/submessages.ts";
import { MAX_MESSAGE_LENGTH } from "../../api/queries/messages.ts";
import { type Problem, problem } from "../../errors.ts";

/** The message that a receiver's response requests; "nothing" if it requests none. */
export type Answer = { content: string; widget?: object } | "nothing";

/**
 * Parses a receiver's response (docs/protocol.md#outgoing-webhooks). A response that is empty, has no text or says that
 * no response is required requests no message. Returns an error for a response that cannot be parsed.
 */
export function readAnswer(body: string): Answer | { error: Problem } {
  if (body.trim() === "") return "nothing";
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { error: problem("response_not_json") };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { error: problem("response_not_object") };
  const { response_not_required, content, response_string, text, widget_content } = json as Record<string, unknown>;
  if (response_not_required === true) return "nothing";
  const said = content ?? response_string ?? text;
  if (said === undefined || said === null) return "nothing";
  if (typeof said !== "string") return { error: problem("response_content_not_text") };
  if (said.trim() === "") return "nothing";
  if (widget_content === undefined || widget_content === null) return { content: said };
  const given = typeof widget_content === "string" ? parsed(widget_content) : widget_content;
  const widget = botWidget.safeParse(given);
  if (!widget.success) return { error: problem("response_widget_invalid") };
  if (JSON.stringify(widget.data).length > MAX_MESSAGE_LENGTH)
    return { error: problem("response_widget_too_long", { count: MAX_MESSAGE_LENGTH }) };
  return { content: said, widget: widget.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
