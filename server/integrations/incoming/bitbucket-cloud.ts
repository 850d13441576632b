import {
  branchDeleted,
  branchTopic,
  commitLink,
  commitsIn,
  type Item,
  itemContent,
  itemTopic,
  pushContent,
  tagContent,
} from "./git.ts";
import {
  branchesOption,
  type Call,
  type Integration,
  type IntegrationMessage,
  OTHER_BRANCHES,
  type Reading,
} from "./integration.ts";
import { buildMark, details, link, listed, paragraphs, plain, quote } from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { atlassianSignature } from "./signatures.ts";

const who = (payload: Payload): string => {
  const name = payload.maybeText("actor.display_name", "actor.nickname");
  return name === undefined ? "Somebody" : link(name, payload.maybeText("actor.links.html.href"));
};
const repositoryOf = (payload: Payload): string => payload.text("repository.name");

const AUTHOR = ["author.user.display_name", "author.user.nickname", "author.user.username", "author.raw"];

/** One message for each branch and tag. The filters apply to each of them. */
function pushes(call: Call): Reading {
  const { payload } = call;
  const changes = payload.list("push.changes");
  const messages = changes.flatMap((change) => pushedChange(call, change) ?? []);
  if (messages.length > 0) return messages;
  return changes.length === 0 ? { ignored: "The push changed nothing." } : OTHER_BRANCHES;
}

function pushedChange(call: Call, change: Payload): IntegrationMessage | undefined {
  const { payload } = call;
  const isRemoved = !change.isObject("new");
  const side = change.at(isRemoved ? "old" : "new");
  const name = side.text("name");
  const url = side.maybeText("links.html.href");
  if (side.maybeText("type") === "tag") {
    const did = isRemoved ? "removed" : change.isObject("old") ? "moved" : "pushed";
    return { event: "push", topic: repositoryOf(payload), content: tagContent(who(payload), did, name, url) };
  }
  if (!call.wantsBranch(name)) return undefined;
  const topic = branchTopic(repositoryOf(payload), name);
  if (isRemoved) return { event: "push", topic, content: branchDeleted(who(payload), name) };
  const isForced = change.isTrue("forced");
  const commits = commitsIn(change, AUTHOR, { hash: "hash", url: "links.html.href" });
  const content = pushContent({
    who: who(payload),
    pusher: payload.maybeText("actor.display_name"),
    branch: name,
    url: change.maybeText("links.html.href") ?? url,
    // After a forced push the list also contains earlier commits.
    commits: isForced ? [] : commits,
    moreThan: change.isTrue("truncated"),
    isForced,
  });
  const head = isForced ? change.maybeText("new.target.hash") : undefined;
  const headUrl = change.maybeText("new.target.links.html.href");
  return { event: "push", topic, content: head ? `${content} Its head is ${commitLink(head, headUrl)}.` : content };
}

function fork({ payload }: Call): Reading {
  const copy = link(payload.text("fork.full_name"), payload.maybeText("fork.links.html.href"));
  const original = link(repositoryOf(payload), payload.maybeText("repository.links.html.href"));
  return { event: "fork", topic: repositoryOf(payload), content: `${who(payload)} forked ${original} as ${copy}.` };
}

function commitComment({ payload }: Call): Reading {
  const hash = payload.maybeText("comment.commit.hash") ?? payload.text("commit.hash");
  const commit = commitLink(hash, payload.maybeText("comment.commit.links.html.href", "commit.links.html.href"));
  const did = link("commented", payload.maybeText("comment.links.html.href"));
  const body = quote(payload.maybeText("comment.content.raw"));
  const content = paragraphs(`${who(payload)} ${did} on the commit ${commit}:`, body);
  return { event: "commit_comment", topic: repositoryOf(payload), content };
}

function commitStatus({ payload }: Call): Reading {
  const status = payload.at("commit_status");
  const state = status.text("state");
  const commitUrl = status.maybeText("links.commit.href");
  const hash = commitUrl?.split("/").at(-1);
  const commit = hash ? ` of ${commitLink(hash, commitUrl)}` : "";
  const name = link(status.maybeText("name", "key") ?? "build", status.maybeText("url"));
  const shown = state === "INPROGRESS" ? "in progress" : state.toLowerCase();
  const content = `${buildMark(state.toLowerCase())}${name}${commit} is now ${plain(shown)}.`;
  return { event: "change_commit_status", topic: repositoryOf(payload), content };
}

const itemAt = (payload: Payload, path: "issue" | "pullrequest"): Item => ({
  kind: path === "issue" ? "issue" : "pull request",
  number: payload.text(`${path}.id`),
  title: payload.maybeText(`${path}.title`) ?? "",
  url: payload.maybeText(`${path}.links.html.href`),
});

function issue(call: Call): Reading {
  const { payload } = call;
  const item = itemAt(payload, "issue");
  const comment = payload.maybe("comment");
  const isUpdate = !comment && payload.isObject("changes");
  const assignee = payload.maybeText("issue.assignee.display_name", "issue.assignee.nickname");
  const isNew = !comment && !isUpdate;
  const content = itemContent(call, {
    item,
    who: who(payload),
    did: comment ? `${link("commented", comment.maybeText("links.html.href"))} on` : isUpdate ? "updated" : "created",
    assignees: isNew && assignee !== undefined ? [assignee] : [],
    body: comment?.maybeText("content.raw") ?? (isNew ? payload.maybeText("issue.content.raw") : undefined),
  });
  const event = comment ? "issue_commented" : isUpdate ? "issue_updated" : "issue_created";
  return { event, topic: itemTopic(repositoryOf(payload), item), content };
}

const VERBS: Record<string, string> = {
  created: "opened",
  updated: "updated",
  approved: "approved",
  unapproved: "took back the approval of",
  rejected: "declined",
  fulfilled: "merged",
};
const COMMENT_VERBS: Record<string, string> = {
  comment_created: "commented",
  comment_updated: "edited a comment",
  comment_deleted: "deleted a comment",
};

function pullRequest(call: Call): Reading {
  const { payload } = call;
  const key = call.eventHeader("X-Event-Key");
  const action = key.replace(/^pullrequest:/, "");
  const onComment = lookUp(COMMENT_VERBS, action);
  const did = onComment ? `${link(onComment, payload.maybeText("comment.links.html.href"))} on` : lookUp(VERBS, action);
  if (did === undefined || !key.startsWith("pullrequest:")) return { unsupported: key };
  const item = itemAt(payload, "pullrequest");
  const isText = action === "created" || action === "updated";
  const from = payload.maybeText("pullrequest.source.branch.name");
  const to = payload.maybeText("pullrequest.destination.branch.name");
  const reviewers = payload.maybeList("pullrequest.reviewers").flatMap((each) => each.maybeText("display_name") ?? []);
  const text = isText ? payload.maybeText("pullrequest.description") : undefined;
  const comment = action === "comment_deleted" ? undefined : payload.maybeText("comment.content.raw");
  const content = itemContent(call, {
    item,
    who: who(payload),
    did,
    branches: action === "created" || action === "fulfilled" ? { from, to } : undefined,
    body: onComment ? comment : text,
  });
  const asked = isText && reviewers.length > 0 ? `Reviewers: ${listed(reviewers.slice(0, 10).map(plain))}` : undefined;
  const topic = itemTopic(repositoryOf(payload), item);
  return { event: `pull_request_${action}`, topic, content: paragraphs(content, asked) };
}

function repositoryUpdated({ payload }: Call): Reading {
  const keys = ["website", "name", "links", "language", "full_name", "description"];
  const changed = keys.filter((key) => payload.maybeText(`changes.${key}.new`, `changes.${key}.new.html.href`));
  const rows = changed.map((key): [string, string] => {
    const before = payload.maybeText(`changes.${key}.old`, `changes.${key}.old.html.href`);
    const now = payload.maybeText(`changes.${key}.new`, `changes.${key}.new.html.href`) ?? "";
    return [key.replaceAll("_", " "), before === undefined ? plain(now) : `${plain(now)} (was ${plain(before)})`];
  });
  if (rows.length === 0) return { ignored: "Nothing that is reported was changed." };
  const name = link(repositoryOf(payload), payload.maybeText("repository.links.html.href"));
  const content = paragraphs(`${who(payload)} changed the repository ${name}:`, details(rows));
  return { event: "repo:updated", topic: repositoryOf(payload), content };
}

/** Most kinds differ in the shape of the payload. Only `repo:updated` needs the header. */
function read(call: Call): Reading {
  const { payload } = call;
  const key = call.header("X-Event-Key");
  if (payload.isObject("push")) return pushes(call);
  if (payload.isObject("fork")) return fork(call);
  if (payload.isObject("comment") && payload.isObject("commit")) return commitComment(call);
  if (payload.isObject("commit_status")) return commitStatus(call);
  if (payload.isObject("issue")) return issue(call);
  if (payload.isObject("pullrequest")) return pullRequest(call);
  if (key === "repo:updated") return repositoryUpdated(call);
  return { unsupported: key ?? "a payload of no known kind" };
}

export const bitbucketCloud: Integration = {
  name: "bitbucket2",
  displayName: "Bitbucket",
  color: "#2684ff",
  client: "Bitbucket2",
  events: [
    "push",
    "fork",
    "commit_comment",
    "change_commit_status",
    "issue_created",
    "issue_updated",
    "issue_commented",
    ...Object.keys({ ...VERBS, ...COMMENT_VERBS }).map((action) => `pull_request_${action}`),
    "repo:updated",
  ],
  options: [branchesOption],
  escapesTwice: true,
  setUp: `In the repository, open **Repository settings → Webhooks → Add webhook**.

1. *URL*: \`{address}\`.
2. *Secret*: the bot's secret, if you gave it one. Deliveries without the right signature are then refused.
3. *Triggers*: **Choose from a full list of triggers**, and tick what you want to be notified of.

Add \`branches=main,release\` to the address to be notified of pushes to these branches only.`,
  verify: atlassianSignature,
  read,
};
