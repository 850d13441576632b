import type { Call, Integration, Reading } from "./integration.ts";
import {
  bold,
  code,
  codeBlock,
  converted,
  cut,
  details,
  link,
  paragraphs,
  plain,
  quote,
  withBody,
} from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { atlassianSignature } from "./signatures.ts";

const MAX_DEPTH = 20;
/** Longer than a quote. */
const MAX_MARKUP = 5000;
const NOFORMAT = /\{noformat\}([\s\S]*?)\{noformat\}/g;
const CODE = /\{code(?::([\w+-]+)[^}\n]*)?\}([\s\S]*?)\{code\}/g;
const QUOTE = /\{quote\}([\s\S]*?)\{quote\}/g;

const quoted = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

export function wikiMarkup(text: string): string {
  const markdown = converted(text.replaceAll("\r", ""), (given, putAside) => {
    const block = (body: string, language = ""): string => `\n${putAside(codeBlock(body.trim(), language))}\n`;
    return given
      .replace(NOFORMAT, (_all, body: string) => block(body))
      .replace(CODE, (_all, language: string | undefined, body: string) => block(body, language))
      .replace(/^bq\. (.*)$/gm, (_all, line: string) => `> ${line}`)
      .replace(/\{\{([^{}\n]+)\}\}/g, (_all, body: string) => putAside(code(body)))
      .replace(/(?<![\w*])\*(?!\s)([^*\n]+)(?<!\s)\*(?![\w*])/g, "**$1**")
      .replace(/\[~(?:accountid:)?([^\]\n]+)\]/g, (_all, name: string) => bold(name))
      .replace(/\[([^[\]|\n]+)\|(https?:[^[\]|\s]+)[^[\]\n]*\]/g, (_all, name: string, url: string) => link(name, url))
      .replace(/\[(https?:[^[\]|\s]+)\]/g, "$1")
      .replace(/\\([!*{}[\]])/g, "$1");
  });
  // Last, since a quote can contain code whose lines must each be quoted.
  return markdown.replace(QUOTE, (_all, body: string) => `\n${quoted(body)}\n`).trim();
}

/** Converts wiki markup, or a document of version 3 of Jira's API, to Markdown. */
export function bodyOf(payload: Payload, path: string): string | undefined {
  const document = payload.maybe(path);
  const text = document ? documentText(document, 0).trim() : wikiMarkup(cut(payload.maybeText(path) ?? "", MAX_MARKUP));
  return text === "" ? undefined : text;
}

function documentText(node: Payload, depth: number): string {
  const type = node.maybeText("type");
  const own = node.maybeText("text", "attrs.text", "attrs.url") ?? "";
  if (type === "hardBreak") return "\n";
  const parts = depth > MAX_DEPTH ? [] : node.maybeList("content").map((each) => documentText(each, depth + 1));
  const inner = own + parts.join("");
  if (type === "listItem") return `- ${inner.trim()}\n`;
  if (type === "codeBlock")
    return `${codeBlock(inner, node.maybeText("attrs.language")?.replace(/\W/g, "") ?? "")}\n\n`;
  return type === "paragraph" || type === "heading" || type?.endsWith("List") ? `${inner}\n\n` : inner;
}

const SILENT = [
  "attachment_created",
  "issuelink_created",
  "issuelink_deleted",
  "jira:version_released",
  "jira:worklog_updated",
  "sprint_closed",
  "sprint_started",
  "worklog_created",
  "worklog_updated",
];

interface Issue {
  readonly key: string;
  readonly title: string;
  readonly url: string | undefined;
}

/** An old Jira sends comments without the issue: its key is part of the comment's URL. */
function issueOf({ payload }: Call): Issue {
  const address = payload.maybeText("issue.self", "comment.self");
  const base = address?.includes("/rest/api/") ? address.slice(0, address.indexOf("/rest/api/")) : undefined;
  const isUnknown = !payload.isObject("issue");
  const key = isUnknown ? (payload.text("comment.self").split("/").at(-3) ?? "") : payload.text("issue.key");
  const title = isUnknown ? "(title unknown)" : (payload.maybeText("issue.fields.summary") ?? "");
  return { key, title, url: base === undefined ? undefined : `${base}/browse/${encodeURI(key.toWellFormed())}` };
}

const topicOf = ({ key, title }: Issue): string => `${key}: ${title}`;

const shown = (call: Call, { key, title, url }: Issue): string =>
  link(call.topic === undefined ? key : `${key}: ${title}`, url);

const who = ({ payload }: Call): string =>
  plain(payload.maybeText("user.displayName", "user.name", "comment.author.displayName") ?? "Somebody");

function created(call: Call): Reading {
  const { payload } = call;
  const issue = issueOf(call);
  const kind = payload.maybeText("issue.fields.issuetype.name")?.toLowerCase() ?? "issue";
  return {
    event: "jira:issue_created",
    topic: topicOf(issue),
    content: paragraphs(
      `${who(call)} created the ${plain(kind)} ${shown(call, issue)}.`,
      details([
        ["Priority", plain(payload.maybeText("issue.fields.priority.name") ?? "")],
        ["Assignee", plain(payload.maybeText("issue.fields.assignee.displayName") ?? "")],
      ]),
    ),
  };
}

function deleted(call: Call): Reading {
  const issue = issueOf(call);
  const content = `${who(call)} deleted ${shown(call, issue)}.`;
  return { event: "jira:issue_deleted", topic: topicOf(issue), content };
}

const COMMENT_VERBS: Record<string, string> = {
  issue_commented: "commented on",
  issue_comment_edited: "edited a comment on",
  issue_comment_deleted: "deleted a comment on",
  comment_created: "commented on",
  comment_updated: "edited a comment on",
  comment_deleted: "deleted a comment on",
};

function comment(call: Call, event: string, did: string, author: string): Reading {
  const issue = issueOf(call);
  const body = did.startsWith("deleted") ? undefined : quote(bodyOf(call.payload, "comment.body"));
  const content = withBody(`${author} ${did} ${shown(call, issue)}`, body);
  return { event, topic: topicOf(issue), content };
}

function updated(call: Call): Reading {
  const { payload } = call;
  const issue = issueOf(call);
  const event = "jira:issue_updated";
  const kind = payload.maybeText("issue_event_type_name") ?? (payload.isObject("comment") ? "issue_commented" : "");
  const commented = lookUp(COMMENT_VERBS, kind);
  if (commented !== undefined) {
    return payload.isObject("comment")
      ? comment(call, event, commented, who(call))
      : { event, topic: topicOf(issue), content: `${who(call)} ${commented} ${shown(call, issue)}.` };
  }
  const rows = payload.maybeList("changelog.items").slice(0, 30).map(changeRow);
  const [from, to] = [payload.maybeText("transition.from_status"), payload.maybeText("transition.to_status")];
  if (rows.length === 0 && to !== undefined) rows.push(["Status", fromTo(from, to)]);
  const assignee = payload.maybeText("issue.fields.assignee.displayName", "issue.fields.assignee.emailAddress");
  const assigned = assignee === undefined ? "" : ` (assigned to ${plain(assignee)})`;
  const content = withBody(`${who(call)} updated ${shown(call, issue)}${assigned}`, details(rows));
  return { event, topic: topicOf(issue), content };
}

function changeRow(item: Call["payload"]): [string, string] {
  const field = item.maybeText("field") ?? "field";
  const [from, to] = [item.maybeText("fromString"), item.maybeText("toString")];
  return [plain(field.charAt(0).toUpperCase() + field.slice(1)), fromTo(from, to)];
}

function fromTo(from: string | undefined, to: string | undefined): string {
  const now = to === undefined ? "none" : plain(to);
  return from === undefined ? now : `${now} (was ${plain(from)})`;
}

const EVENTS = [
  "jira:issue_created",
  "jira:issue_updated",
  "jira:issue_deleted",
  "comment_created",
  "comment_updated",
  "comment_deleted",
];

function read(call: Call): Reading {
  const { payload } = call;
  const event =
    payload.maybeText("webhookEvent") ?? (payload.isObject("transition") ? "jira:issue_updated" : undefined);
  if (event === undefined) throw call.anomalous("The payload has no webhookEvent: it is none of Jira's.");
  if (event === "jira:issue_created") return created(call);
  if (event === "jira:issue_updated") return updated(call);
  if (event === "jira:issue_deleted") return deleted(call);
  const did = event.startsWith("comment_") ? lookUp(COMMENT_VERBS, event) : undefined;
  if (did !== undefined) {
    const key = event === "comment_created" ? "author" : "updateAuthor";
    const author = payload.maybeText(`comment.${key}.displayName`, "comment.author.displayName", "user.displayName");
    return comment(call, event, did, plain(author ?? "Somebody"));
  }
  return SILENT.includes(event) ? { ignored: `Events of the kind ${event} are not reported.` } : { unsupported: event };
}

export const jira: Integration = {
  name: "jira",
  displayName: "Jira",
  color: "#0052cc",
  client: "Jira",
  events: EVENTS,
  options: [],
  escapesTwice: true,
  setUp: `As an administrator of Jira, open **Settings → System → WebHooks → Create a WebHook**.

1. *URL*: \`{address}\`.
2. *Secret* (in Jira Cloud): the bot's secret, if you gave it one. Deliveries without the right signature are then
   refused.
3. *Events*: tick *Issue* **created, updated, deleted** and *Comment* **created, updated, deleted**; a JQL query keeps
   other projects out.`,
  verify: atlassianSignature,
  read,
};
