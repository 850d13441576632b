import type { RenderContext } from "../../server/markdown/context.ts";
import { compileLinkifiers } from "../../server/markdown/linkifiers.ts";
import { finderOf } from "../../server/markdown/matches.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";

const people = [
  { id: 12, name: "Iago" },
  { id: 7, name: "iago" },
  { id: 9, name: "King Lear" },
  { id: 10, name: "Pipe | Person|3" },
];
const groups = [
  { id: 17, name: "support", mayMention: true },
  { id: 18, name: "leaders", mayMention: false },
];

/** A sender's context with an example of everything. */
export const context: RenderContext = {
  usersByName: (name) => people.filter((person) => person.name.toLowerCase() === name.toLowerCase()),
  userById: (id) => people.find((person) => person.id === id),
  groupByName: (name) =>
    name === "role:administrators"
      ? { id: 5, name: "Administrators", mayMention: false }
      : groups.find((group) => group.name === name),
  channelWildcard: true,
  topicWildcard: true,
  channelByName: (name) =>
    [
      { id: 9, name: "announce" },
      { id: 4, name: "R & D (new).v2" },
    ].find((c) => c.name === name),
  newestInTopic: (channelId, topic) => (channelId === 9 && ["updates", ""].includes(topic) ? 214 : undefined),
  emptyTopicName: "general chat",
  customEmoji: (name) => (name === "green_tick" ? { url: "/user_avatars/2/emoji/images/1.png" } : undefined),
  linkifiers: compileLinkifiers([
    { id: 1, pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/{id}" },
    { id: 2, pattern: "TICKET-(?P<name>\\S+)", url_template: "https://tracker.example/named{/name}" },
  ]),
  baseUrl: "http://chat.example:9991",
  alertWords: finderOf(["tea time", "Coffee", "über"]),
};

export const render = (text: string, more: RenderContext = {}) => renderMarkdown(text, { ...context, ...more });
export const html = (text: string, more: RenderContext = {}): string => render(text, more).html;
