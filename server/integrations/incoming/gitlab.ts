import {
  branchDeleted,
  branchOf,
  branchTopic,
  changesBody,
  commitLink,
  commitsIn,
  type Item,
  isNothing,
  itemContent,
  itemTopic,
  pushContent,
  tagChange,
  tagContent,
  tagOf,
} from "./git.ts";
import { branchesOption, type Call, type Integration, OTHER_BRANCHES, type Reading } from "./integration.ts";
import { buildMark, code, counted, link, paragraphs, plain, quote, withBody, words } from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { gitLabToken } from "./signatures.ts";

export interface GitLabEvent {
  readonly call: Call;
  /** From the header: "Merge Request Hook". */
  readonly hook: string;
  readonly payload: Payload;
  /** In Markdown. */
  readonly who: string;
  readonly project: { readonly name: string; readonly url: string | undefined };
}

export type Reader = (event: GitLabEvent) => Reading;

export function gitLabEvent(call: Call): GitLabEvent {
  const { payload } = call;
  const name = payload.maybeText("project.name", "repository.name") ?? payload.text("project.name");
  return {
    call,
    hook: hookOf(call),
    payload,
    who: plain(payload.maybeText("user.name", "user_name", "user.username", "user_username") ?? "Somebody"),
    project: { name, url: payload.maybeText("project.web_url", "repository.homepage") },
  };
}

/** The payload of a system hook names the event: `merge_request`. */
function hookOf(call: Call): string {
  const hook = call.eventHeader("X-Gitlab-Event");
  const inner = call.payload.maybeText("event_name", "object_kind");
  if (hook !== "System Hook" || inner === undefined) return hook;
  const parts = inner.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${parts.join(" ")} Hook`;
}

/** The message begins with the project if the URL sets the topic. */
export function report({ call, project }: GitLabEvent, event: string, topic: string, content: string): Reading {
  const prefix = call.topic === undefined ? "" : `${link(project.name, project.url)}: `;
  return { event, topic, content: prefix + content };
}

export const actionOf = ({ payload }: GitLabEvent): string | undefined => payload.maybeText("object_attributes.action");

export const pageOf = ({ project }: GitLabEvent, path: string): string | undefined =>
  project.url === undefined ? undefined : `${project.url}/-/${path}`;

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
  // One of several required approvals.
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
  const isDescribed = action === "open" || (action === "update" && !hasCommits && changesBody(payload, "description"));
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

const push: Reader = (event) => {
  const { call, hook, payload, who, project } = event;
  const ref = payload.text("ref");
  const branch = branchOf(ref) ?? ref;
  if (!call.wantsBranch(branch)) return OTHER_BRANCHES;
  const [before, after] = [payload.maybeText("before"), payload.maybeText("after")];
  const topic = branchTopic(project.name, branch);
  if (isNothing(after)) return report(event, hook, topic, branchDeleted(who, branch));
  const commits = commitsIn(payload, ["author.name"]);
  const isNew = isNothing(before) || before === undefined || after === undefined;
  const url = pageOf(event, isNew ? `commits/${branch}` : `compare/${before}...${after}`);
  const total = payload.maybeNumber("total_commits_count");
  const pusher = payload.maybeText("user_name", "user.name");
  return report(event, hook, topic, pushContent({ who, pusher, branch, url, commits, total }));
};

const tagPush: Reader = (event) => {
  const { hook, payload, who, project } = event;
  const tag = tagOf(payload.text("ref"));
  const isRemoved = payload.raw("checkout_sha") === null;
  const change = isRemoved ? "removed" : tagChange(payload.maybeText("before"), payload.maybeText("after"));
  return report(event, hook, project.name, tagContent(who, change, tag, pageOf(event, `tags/${tag}`)));
};

const WIKI_VERBS: Record<string, string> = { create: "created", update: "updated", delete: "deleted" };

const wikiPage: Reader = (event) => {
  const { hook, payload, who, project } = event;
  const action = actionOf(event) ?? "update";
  const did = lookUp(WIKI_VERBS, action);
  if (did === undefined) return { unsupported: `${hook} ${action}` };
  const page = link(payload.text("object_attributes.title"), payload.maybeText("object_attributes.url"));
  return report(event, `${hook} ${action}`, project.name, `${who} ${did} the wiki page ${page}.`);
};

const job: Reader = (event) => {
  const { hook, payload, project } = event;
  const status = payload.text("build_status");
  const id = payload.maybeText("build_id");
  const name = link(payload.text("build_name"), id === undefined ? undefined : pageOf(event, `jobs/${id}`));
  const stage = payload.maybeText("build_stage");
  const ofStage = stage === undefined ? "" : ` (stage ${plain(stage)})`;
  const content = `${buildMark(status)}The job ${name}${ofStage} is now ${words(status)}.`;
  return report(event, hook, branchTopic(project.name, payload.text("ref")), content);
};

const MAX_JOBS = 30;

const pipeline: Reader = (event) => {
  const { hook, payload, project } = event;
  const status = payload.text("object_attributes.status");
  const branch = payload.text("object_attributes.ref");
  const id = payload.text("object_attributes.id");
  const jobs = payload.maybeList("builds").map((build) => {
    const jobId = build.maybeText("id") ?? "";
    const jobStatus = build.maybeText("status") ?? "unknown";
    const path = `jobs/${jobId}`;
    const artifacts = build.maybeText("artifacts_file.filename")
      ? ` – artifacts: ${link("browse", pageOf(event, `${path}/artifacts/browse`))}, ${link("download", pageOf(event, `${path}/artifacts/download`))}`
      : "";
    return `- ${link(build.maybeText("name") ?? jobId, pageOf(event, path))}: ${words(jobStatus)}${artifacts}`;
  });
  const more = jobs.length > MAX_JOBS ? `- and ${counted(jobs.length - MAX_JOBS, "more job", "more jobs")}` : undefined;
  const shown = [...jobs.slice(0, MAX_JOBS), ...(more ? [more] : [])].join("\n");
  const name = link(`pipeline #${id}`, pageOf(event, `pipelines/${id}`));
  const summary = `${buildMark(status)}The ${name} of ${code(branch)} is now ${words(status)}`;
  return report(event, hook, branchTopic(project.name, branch), withBody(summary, shown));
};

const RELEASE_VERBS: Record<string, string> = { create: "published", update: "updated", delete: "deleted" };

const release: Reader = (event) => {
  const { hook, payload, project } = event;
  const did = lookUp(RELEASE_VERBS, payload.maybeText("action") ?? "") ?? "changed";
  const name = link(payload.maybeText("name", "tag") ?? payload.text("tag"), payload.maybeText("url"));
  const tag = payload.maybeText("tag");
  const ofTag = tag === undefined ? "" : ` (tag ${plain(tag)})`;
  const body = quote(payload.maybeText("description"));
  const content = withBody(`The release ${name}${ofTag} was ${did}`, body);
  return report(event, hook, project.name, content);
};

const test: Reader = (event) => {
  const { hook, project } = event;
  return report(event, hook, project.name, `The webhook of ${link(project.name, project.url)} is set up: it arrives.`);
};

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    ...itemReaders,
    "Push Hook": push,
    "Tag Push Hook": tagPush,
    "Wiki Page Hook": wikiPage,
    "Job Hook": job,
    "Build Hook": job,
    "Pipeline Hook": pipeline,
    "Release Hook": release,
    "Test Hook": test,
  }),
);

function read(call: Call): Reading {
  const hook = call.eventHeader("X-Gitlab-Event");
  if (hook !== "System Hook" && !readers.has(hook)) return { unsupported: hook };
  const event = gitLabEvent(call);
  return readers.get(event.hook)?.(event) ?? { unsupported: event.hook };
}

export const gitlab: Integration = {
  name: "gitlab",
  displayName: "GitLab",
  color: "#fc6d26",
  client: "GitLab",
  events: [
    "Push Hook",
    "Tag Push Hook",
    ...itemEvents,
    "Wiki Page Hook create",
    "Wiki Page Hook update",
    "Wiki Page Hook delete",
    "Job Hook",
    "Build Hook",
    "Pipeline Hook",
    "Release Hook",
    "Test Hook",
  ],
  options: [
    branchesOption,
    { key: "use_merge_request_title", label: "Titles of merge requests in topics", validator: "check_bool" },
  ],
  setUp: `In the project or the group, open **Settings → Webhooks → Add new webhook**.

1. *URL*: \`{address}\`.
2. *Secret token*: the bot's secret, if you gave it one. Deliveries without it are then refused.
3. *Trigger*: what you want to be notified of.

Add \`branches=main,release\` to the address to be notified of pushes to these branches only, and
\`use_merge_request_title=false\` to keep titles of merge requests out of topics.`,
  verify: gitLabToken,
  read,
};
