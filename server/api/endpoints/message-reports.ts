import { refusedParameter } from "../../errors.ts";
import { integer, oneOf, text } from "../../http/params.ts";
import { channelForReports } from "../access/message-reports.ts";
import { messageToRead } from "../access/messages.ts";
import { REPORT_REASONS, reportMessage } from "../actions/message-reports.ts";
import { endpoint } from "./endpoint.ts";

/** docs/protocol.md#message-reports. */
const MAX_DESCRIPTION_LENGTH = 1000;

const reasons = Object.keys(REPORT_REASONS) as (keyof typeof REPORT_REASONS)[];

export const report = endpoint({
  route: "POST /messages/{message_id}/report",
  summary: "Report a message to those who moderate: the notification bot tells them in their channel.",
  who: "member",
  guests: true,
  params: {
    message_id: integer(),
    report_type: oneOf(...reasons),
    description: text().maxLength(MAX_DESCRIPTION_LENGTH).optional().describe("Needed for the type `other`."),
  },
  handle: ({ viewer, params, transact }) => {
    const description = (params.description ?? "").trim();
    if (params.report_type === "other" && description === "")
      throw refusedParameter("description", "description is missing: a report of the type other needs one.");
    const report = { reason: params.report_type, description };
    transact((tx) => {
      const { row: message } = messageToRead(tx, viewer, params.message_id);
      reportMessage(tx, viewer, { message, channel: channelForReports(tx), report });
    });
    return {};
  },
});
