import {
  branchOf,
  branchTopic,
  changesBody,
  commitsIn,
  type Item,
  itemContent,
  itemTopic,
  pushContent,
  tagChange,
  tagContent,
  tagOf,
} from "./git.ts";
import { branchesOption, type Call, type Integration, OTHER_BRANCHES, type Reading } from "./integration.ts";
import { code, link, plain, words } from "./markdown.ts";
import type { Payload } from "./payload.ts";
import { giteaSignature } from "./signatures.ts";

/* Gitea, its predecessor Gogs and its fork Forgejo send the same payloads. */

type Reader = (call: Call) => Reading;

const PERSON = ["username", "login", "full_name"];
const nameAt = (payload: Payload, path: string): string | undefined =>
  payload.maybeText(...PERSON.map((key) => `${path}.${key}`));
const sender = (payload: Payload): string => plain(nameAt(payload, "sender") ?? "Somebody");
const repositoryOf = (payload: Payload): string => payload.text("repository.name");
const pageOf = (payload: Payload, path: string): string | undefined => {
  const url = payload.maybeText("repository.html_url");
  return url === undefined ? undefined : `${url}/${path}`;
};

const push: Reader = (call) => {
  const { payload } = call;
  const ref = payload.text("ref");
  const branch = branchOf(ref);
  const tag = tagOf(ref);
  const who = sender(payload);
  if (branch === undefined) {
    const change = tagChange(payload.maybeText("before"), payload.maybeText("after"));
    const content = tagContent(who, change, tag, pageOf(payload, `src/tag/${tag}`));
    return { event: "push", topic: repositoryOf(payload), content };
  }
  if (!call.wantsBranch(branch)) return OTHER_BRANCHES;
  const commits = commitsIn(payload, ["author.username", "author.name"]).map((commit) => ({
    ...commit,
    author: commit.author?.split(" ")[0],
  }));
  const pusher = nameAt(payload, "sender");
  const url = payload.maybeText("compare_url");
  const total = payload.maybeNumber("total_commits");
  const content = pushContent({ who, pusher, branch, url, commits, total });
  return { event: "push", topic: branchTopic(repositoryOf(payload), branch), content };
};

const create: Reader = (call) => {
  const { payload } = call;
  const name = payload.text("ref");
  const kind = payload.maybeText("ref_type") === "tag" ? "tag" : "branch";
  if (kind === "branch" && !call.wantsBranch(name)) return OTHER_BRANCHES;
  const shown = link(name, pageOf(payload, `src/${kind}/${name}`));
  const content = `${sender(payload)} created the ${kind} ${shown}.`;
  return { event: "create", topic: branchTopic(repositoryOf(payload), name), content };
};

function itemAt(payload: Payload, path: "issue" | "pull_request"): Item {
  const item = payload.at(path);
  const number = item.text("number");
  const isPullRequest = path === "pull_request" || item.isObject("pull_request");
  const url = pageOf(payload, `${isPullRequest ? "pulls" : "issues"}/${number}`);
  return {
    kind: isPullRequest ? "pull request" : "issue",
    number,
    title: item.maybeText("title") ?? "",
    url: item.maybeText("html_url") ?? url,
  };
}

const assigneesAt = (payload: Payload, path: string): string[] => {
  const assignee = nameAt(payload, `${path}.assignee`);
  return assignee === undefined ? [] : [assignee];
};

const pullRequest: Reader = (call) => {
  const { payload } = call;
  const action = payload.maybeText("action");
  const item = itemAt(payload, "pull_request");
  const isMerged = action === "closed" && payload.isTrue("pull_request.merged");
  const who = isMerged ? plain(nameAt(payload, "pull_request.merged_by") ?? sender(payload)) : sender(payload);
  const from = payload.maybeText("pull_request.head.ref", "pull_request.head_branch");
  const to = payload.maybeText("pull_request.base.ref", "pull_request.base_branch");
  const isNew = action === "opened";
  const content = itemContent(call, {
    item,
    who,
    did: isMerged ? "merged" : words(action ?? "changed"),
    branches: action === "edited" ? undefined : { from, to },
    assignees: isNew || action === "assigned" ? assigneesAt(payload, "pull_request") : [],
    body: isNew ? payload.maybeText("pull_request.body") : undefined,
  });
  return { event: "pull_request", topic: itemTopic(repositoryOf(payload), item), content };
};

const issues: Reader = (call) => {
  const { payload } = call;
  const action = payload.maybeText("action");
  const item = itemAt(payload, "issue");
  const isText = action === "opened" || (action === "edited" && changesBody(payload));
  const content = itemContent(call, {
    item,
    who: sender(payload),
    did: words(action ?? "changed"),
    assignees: isText || action === "assigned" ? assigneesAt(payload, "issue") : [],
    body: isText ? payload.maybeText("issue.body") : undefined,
  });
  return { event: "issues", topic: itemTopic(repositoryOf(payload), item), content };
};

const issueComment: Reader = (call) => {
  const { payload } = call;
  const action = payload.maybeText("action");
  const item = itemAt(payload, "issue");
  const url = payload.maybeText("comment.html_url");
  const did =
    action === "created"
      ? `${link("commented", url)} on`
      : `${words(action ?? "changed")} ${link("a comment", url)} on`;
  const body = action === "deleted" ? undefined : payload.maybeText("comment.body");
  const content = itemContent(call, { item, who: sender(payload), did, body });
  return { event: "issue_comment", topic: itemTopic(repositoryOf(payload), item), content };
};

const release: Reader = ({ payload }) => {
  const tag = payload.text("release.tag_name");
  const name = payload.maybeText("release.name");
  const url = payload.maybeText("release.html_url") ?? pageOf(payload, `releases/tag/${tag}`);
  const who = plain(nameAt(payload, "release.author") ?? nameAt(payload, "sender") ?? "Somebody");
  const ofTag = name === undefined || name === tag ? "" : ` (tag ${code(tag)})`;
  return {
    event: "release",
    topic: [repositoryOf(payload), "/", tag, ...(name === undefined || name === tag ? [] : [name])].join(" "),
    content: `${who} ${words(payload.maybeText("action") ?? "changed")} the release ${link(name ?? tag, url)}${ofTag}.`,
  };
};

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries({ push, create, pull_request: pullRequest, issues, issue_comment: issueComment, release }),
);

const HEADERS = { gitea: "X-Gitea-Event", forgejo: "X-Forgejo-Event", gogs: "X-Gogs-Event" };

function integration(
  name: keyof typeof HEADERS,
  displayName: string,
  color: string,
  client: string,
  where: string,
): Integration {
  return {
    name,
    displayName,
    color,
    client,
    events: [...readers.keys()],
    options: [branchesOption],
    setUp: `In the repository or the organization, open **Settings → Webhooks → Add webhook → ${where}**.

1. *Target URL*: \`{address}\`. *HTTP method*: POST. *Content type*: \`application/json\`.
2. *Secret*: the bot's secret, if you gave it one. Deliveries without the right signature are then refused.
3. *Trigger on*: what you want to be notified of; pushes, branches, issues, pull requests, comments and releases are known.

Add \`branches=main,release\` to the address to be notified of pushes to these branches only.`,
    takesGet: true,
    verify: giteaSignature,
    read(call) {
      const event = call.eventHeader(HEADERS[name], ...Object.values(HEADERS));
      return readers.get(event)?.(call) ?? { unsupported: event };
    },
  };
}

export const gitea = integration("gitea", "Gitea", "#609926", "Gitea", "Gitea");
export const forgejo = integration("forgejo", "Forgejo", "#ff6600", "Gitea", "Forgejo");
export const gogs = integration("gogs", "Gogs", "#c2463a", "Gogs", "Gogs");
