import { commitLink, type Item, itemContent, itemTopic } from "../git.ts";
import type { Reading } from "../integration.ts";
import { link, paragraphs, quote } from "../markdown.ts";
import { lookUp, type Payload } from "../payload.ts";
import { actionOf, type GitLabEvent, pageOf, type Reader, report } from "./event.ts";

/* Issues, merge requests, and notes on them. */

const itemIn = (part: Payload, kind: Item["kind"], url?: string): Item => ({
  kind,
  number: part.maybeText("iid") ?? part.text("id"),
  title: part.maybeText("title") ?? "",
  url: part.maybeText("url") ?? url,
});

function topicFor({ call, project }: GitLabEvent, item: Item): string {
  const isUntitled = item.kind === "merge request" && call.flag("use_merge_request_title") === false;
  return itemTopic(project.name, isUntitled ? { ...item, title: "" } : item);
}

function assigneesIn(payload: Payload): string[] {
  const names = payload.maybeList("assignees").flatMap((assignee) => assignee.maybeText("name") ?? []);
  const [single] = [payload.maybeText("assignee.name")];
  return names.length === 0 && single !== undefined ? [single] : names.slice(0, 10);
}

const ISSUE_VERBS: Record<string, string> = { open: "opened", close: "closed", reopen: "reopened", update: "updated" };

const issue: Reader = (event) => {
  const { call, hook, payload, who } = event;
  const action = actionOf(event) ?? "open";
  const did = lookUp(ISSUE_VERBS, action);
  if (did === undefined) return { unsupported: `${hook} ${action}` };
  const item = itemIn(payload.at("object_attributes"), "issue");
  const isNew = action === "open";
  const content = itemContent(call, {
    item,
    who,
    did,
    assignees: isNew ? assigneesIn(payload) : [],
    body: isNew ? payload.maybeText("object_attributes.description") : undefined,
  });
  return report(event, `${hook} ${action}`, topicFor(event, item), content);
};

const MERGE_VERBS: Record<string, string> = {
  open: "opened",
  update: "updated",
  close: "closed",
  reopen: "reopened",
  merge: "merged",
  approved: "approved",
  unapproved: "took back the approval of",
  // Of several that are needed: to a reader the same.
  approval: "approved",
  unapproval: "took back the approval of",
};
const SAME_EVENT: Record<string, string> = { approval: "approved", unapproval: "unapproved" };

const mergeRequest: Reader = (event) => {
  const { call, hook, payload, who } = event;
  const action = actionOf(event) ?? "open";
  const hasCommits = action === "update" && payload.maybeText("object_attributes.oldrev") !== undefined;
  const did = hasCommits ? "added commits to" : lookUp(MERGE_VERBS, action);
  if (did === undefined) return { unsupported: `${hook} ${action}` };
  const attributes = payload.at("object_attributes");
  const item = itemIn(attributes, "merge request");
  const [from, to] = [attributes.maybeText("source_branch"), attributes.maybeText("target_branch")];
  const isDescribed = action === "open" || (action === "update" && !hasCommits);
  const content = itemContent(call, {
    item,
    who,
    did,
    branches: action === "open" || action === "merge" ? { from, to } : undefined,
    assignees: isDescribed ? assigneesIn(payload) : [],
    body: isDescribed ? attributes.maybeText("description") : undefined,
  });
  return report(event, `${hook} ${lookUp(SAME_EVENT, action) ?? action}`, topicFor(event, item), content);
};

const note: Reader = (event) => {
  const { call, hook, payload, who, project } = event;
  const type = payload.text("object_attributes.noteable_type");
  const name = `${hook} ${type}`;
  const body = payload.maybeText("object_attributes.note");
  const did = `${link("commented", payload.maybeText("object_attributes.url"))} on`;
  const onItem = (item: Item): Reading =>
    report(event, name, topicFor(event, item), itemContent(call, { item, who, did, body }));
  switch (type) {
    case "Commit": {
      const commit = commitLink(payload.text("commit.id"), payload.maybeText("commit.url"));
      return report(event, name, project.name, paragraphs(`${who} ${did} the commit ${commit}:`, quote(body)));
    }
    case "MergeRequest":
      return onItem(itemIn(payload.at("merge_request"), "merge request"));
    case "Issue":
      return onItem(itemIn(payload.at("issue"), "issue"));
    case "Snippet":
      return onItem(itemIn(payload.at("snippet"), "snippet", pageOf(event, `snippets/${payload.text("snippet.id")}`)));
    default:
      return { unsupported: name };
  }
};

export const itemReaders: Record<string, Reader> = {
  "Issue Hook": issue,
  "Confidential Issue Hook": issue,
  "Merge Request Hook": mergeRequest,
  "Note Hook": note,
  "Confidential Note Hook": note,
};

const named = (hook: string, ...actions: string[]): string[] => actions.map((action) => `${hook} ${action}`);

export const itemEvents = [
  ...named("Issue Hook", "open", "close", "reopen", "update"),
  ...named("Confidential Issue Hook", "open", "close", "reopen", "update"),
  ...named("Merge Request Hook", "open", "update", "close", "reopen", "merge", "approved", "unapproved"),
  ...named("Note Hook", "Commit", "MergeRequest", "Issue", "Snippet"),
  ...named("Confidential Note Hook", "Issue"),
];
