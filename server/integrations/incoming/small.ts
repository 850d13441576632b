import type { Integration } from "./integration.ts";
import { link, withoutWildcards } from "./markdown.ts";

export const homeAssistant: Integration = {
  name: "homeassistant",
  displayName: "Home Assistant",
  color: "#18bcf2",
  client: "HomeAssistant",
  events: null,
  options: [],
  setUp: `Add a notification service to \`configuration.yaml\`, and start Home Assistant again:

\`\`\`yaml
notify:
  - name: chat
    platform: rest
    resource: "{address}"
    method: POST_JSON
    title_param_name: topic
\`\`\`

The action \`notify.chat\` then sends its *message*, and its *title* as the topic.`,
  read: ({ payload }) => ({
    topic: payload.maybeText("topic") ?? "homeassistant",
    content: withoutWildcards(payload.text("message")),
  }),
};

export const helloWorld: Integration = {
  name: "helloworld",
  displayName: "Hello World",
  color: "#6a5acd",
  client: "HelloWorld",
  events: null,
  options: [],
  setUp: `An example to try and to copy from:

\`\`\`
curl -d '{"featured_title": "Chat", "featured_url": "https://en.wikipedia.org/wiki/Chat"}' '{address}'
\`\`\``,
  read: ({ payload }) => ({
    topic: "Hello World",
    content: `Hello! Today's article is ${link(payload.text("featured_title"), payload.text("featured_url"))}.`,
  }),
};
