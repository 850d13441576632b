import { branchDeleted, branchOf, branchTopic, pushContent, tagContent, tagOf } from "../git.ts";
import { branchesOption, type Call, type Integration, type Reading } from "../integration.ts";
import { code, counted, link, MAX_COMMITS, paragraphs, plain, quote } from "../markdown.ts";
import { lookUp } from "../payload.ts";
import { gitLabToken } from "../signatures.ts";
import { actionOf, gitLabEvent, pageOf, type Reader, report } from "./event.ts";
import { itemEvents, itemReaders } from "./items.ts";

/** What `before` and `after` are where there is nothing. */
const isNothing = (hash: string | undefined): boolean => hash !== undefined && /^0+$/.test(hash);

const push: Reader = (event) => {
  const { call, hook, payload, who, project } = event;
  const ref = payload.text("ref");
  const branch = branchOf(ref) ?? ref;
  if (!call.wantsBranch(branch)) return { ignored: "The address names other branches." };
  const [before, after] = [payload.maybeText("before"), payload.maybeText("after")];
  const topic = branchTopic(project.name, branch);
  if (isNothing(after)) return report(event, hook, topic, branchDeleted(who, branch));
  const commits = payload.maybeList("commits").map((commit, index) => ({
    ...(index < MAX_COMMITS && {
      hash: commit.text("id"),
      message: commit.maybeText("message", "title") ?? "",
      url: commit.maybeText("url"),
    }),
    author: commit.maybeText("author.name"),
  }));
  const isNew = isNothing(before) || before === undefined || after === undefined;
  const url = pageOf(event, isNew ? `commits/${branch}` : `compare/${before}...${after}`);
  const total = payload.maybeNumber("total_commits_count");
  const pusher = payload.maybeText("user_name", "user.name");
  return report(event, hook, topic, pushContent({ who, pusher, branch, url, commits, total }));
};

const tagPush: Reader = (event) => {
  const { hook, payload, who, project } = event;
  const tag = tagOf(payload.text("ref"));
  const isRemoved = isNothing(payload.maybeText("after")) || payload.raw("checkout_sha") === null;
  return report(event, hook, project.name, tagContent(who, isRemoved, tag, pageOf(event, `tags/${tag}`)));
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

const MARKS: Record<string, string> = { success: "✅ ", failed: "❌ ", canceled: "⚪ ", running: "🔵 " };
const mark = (status: string): string => lookUp(MARKS, status) ?? "";
const words = (status: string): string => plain(status.replaceAll("_", " "));

const job: Reader = (event) => {
  const { hook, payload, project } = event;
  const status = payload.text("build_status");
  const id = payload.maybeText("build_id");
  const name = link(payload.text("build_name"), id === undefined ? undefined : pageOf(event, `jobs/${id}`));
  const stage = payload.maybeText("build_stage");
  const ofStage = stage === undefined ? "" : ` (stage ${plain(stage)})`;
  const content = `${mark(status)}The job ${name}${ofStage} is now ${words(status)}.`;
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
  const summary = `${mark(status)}The ${name} of ${code(branch)} is now ${words(status)}${shown ? ":" : "."}`;
  return report(event, hook, branchTopic(project.name, branch), paragraphs(summary, shown));
};

const RELEASE_VERBS: Record<string, string> = { create: "published", update: "updated", delete: "deleted" };

const release: Reader = (event) => {
  const { hook, payload, project } = event;
  const did = lookUp(RELEASE_VERBS, payload.maybeText("action") ?? "") ?? "changed";
  const name = link(payload.maybeText("name", "tag") ?? payload.text("tag"), payload.maybeText("url"));
  const tag = payload.maybeText("tag");
  const ofTag = tag === undefined ? "" : ` (tag ${plain(tag)})`;
  const body = quote(payload.maybeText("description"));
  const content = paragraphs(`The release ${name}${ofTag} was ${did}${body ? ":" : "."}`, body);
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
