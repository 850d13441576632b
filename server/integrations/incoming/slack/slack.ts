import { missingParameter } from "../../../errors.ts";
import type { Call, Integration, Reading } from "../integration.ts";
import { paragraphs, plain } from "../markdown.ts";
import type { Payload } from "../payload.ts";
import { slackSignature } from "../signatures.ts";
import { attachmentsIn, blocksIn } from "./blocks.ts";
import { mrkdwn } from "./mrkdwn.ts";

function read(call: Call): Reading {
  const { request } = call;
  const isMissing = request.body.length === 0 || request.form.size > 0;
  if (isMissing && call.parameter("payload") === undefined) throw missingParameter("payload");
  const { payload } = call;
  const channel = payload.maybeText("channel")?.replace(/^[#@]/, "");
  const shown = paragraphs(blocksIn(payload), attachmentsIn(payload));
  const content = shown === "" ? text(payload) : shown;
  if (content === "") return { ignored: "The payload says nothing." };
  return { topic: call.topic ?? channel ?? "", content };
}

function text(payload: Payload): string {
  const icon = payload.maybeText("icon_emoji");
  const shown = mrkdwn(payload.maybeText("text") ?? "");
  return icon === undefined || shown === "" ? shown : `${plain(icon)} ${shown}`;
}

export const slackIncoming: Integration = {
  name: "slack_incoming",
  displayName: "Slack-compatible webhook",
  color: "#4a154b",
  client: "SlackIncoming",
  events: null,
  options: [],
  setUp: `Wherever a service asks for the address of a **Slack incoming webhook**, paste \`{address}\`.

Text, blocks and attachments are shown; buttons are not. The topic is that of the address, else the payload's
\`channel\`. Try it:

\`\`\`
curl -H 'Content-Type: application/json' -d '{"text": "Hello, *world*"}' '{address}'
\`\`\``,
  answer: { ok: true },
  verify: slackSignature,
  read,
};
