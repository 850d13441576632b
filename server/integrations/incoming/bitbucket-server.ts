import { branchDeleted, branchTopic, commitLink, type Item, itemContent, itemTopic, tagContent } from "./git.ts";
import {
  branchesOption,
  type Call,
  type Integration,
  type IntegrationMessage,
  OTHER_BRANCHES,
  type Reading,
} from "./integration.ts";
import { code, link, listed, paragraphs, plain, quote, withBody } from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { atlassianSignature } from "./signatures.ts";

type Reader = (call: Call, key: string) => Reading;

const personOf = (person: Payload | undefined): string =>
  link(person?.maybeText("displayName", "name") ?? "Somebody", person?.maybeText("links.self.0.href"));
const personAt = (payload: Payload, path: string): string => personOf(payload.maybe(path));
const who = (payload: Payload): string => personAt(payload, "actor");
const repositoryOf = (payload: Payload): string => payload.text("repository.name");

/** The link to a repository ends in `/browse`. The pages of its commits are next to that path. */
function pageOf(payload: Payload, path: string): string | undefined {
  const browse = payload.maybeText("repository.links.self.0.href");
  return browse?.endsWith("/browse") ? `${browse.slice(0, -"browse".length)}${path}` : undefined;
}

const ping: Reader = (_call, key) => ({
  event: key,
  topic: "Bitbucket Server Ping",
  content: "The webhook of Bitbucket is set up: it arrives.",
});

const refsChanged: Reader = (call, key) => {
  const changes = call.payload.list("changes");
  const messages = changes.flatMap((change) => changedRef(call, key, change) ?? []);
  if (messages.length > 0) return messages;
  return changes.length === 0 ? { ignored: "The push changed nothing." } : OTHER_BRANCHES;
};

function changedRef(call: Call, event: string, change: Payload): IntegrationMessage | undefined {
  const { payload } = call;
  const type = change.text("type");
  const name = change.text("ref.displayId");
  const repository = repositoryOf(payload);
  if (change.maybeText("ref.type") === "TAG") {
    const did = type === "DELETE" ? "removed" : type === "UPDATE" ? "moved" : "pushed";
    return { event, topic: repository, content: tagContent(who(payload), did, name) };
  }
  if (!call.wantsBranch(name)) return undefined;
  const topic = branchTopic(repository, name);
  if (type === "DELETE") return { event, topic, content: branchDeleted(who(payload), name) };
  const hash = change.maybeText("toHash");
  const head = hash === undefined ? "" : ` Its head is ${commitLink(hash, pageOf(payload, `commits/${hash}`))}.`;
  const did = type === "ADD" ? "created the branch" : "pushed to";
  return { event, topic, content: `${who(payload)} ${did} ${code(name)}.${head}` };
}

const COMMENT_VERBS: Record<string, string> = {
  added: "commented",
  edited: "edited a comment",
  deleted: "deleted a comment",
};
const lastPart = (key: string): string => key.slice(key.lastIndexOf(":") + 1);

const commitComment: Reader = ({ payload }, key) => {
  const hash = payload.text("commit");
  const commit = commitLink(hash, pageOf(payload, `commits/${hash}`));
  const did = lookUp(COMMENT_VERBS, lastPart(key));
  const text = quote(payload.maybeText("comment.text"));
  const content = withBody(`${who(payload)} ${did} on the commit ${commit}`, text);
  return { event: key, topic: repositoryOf(payload), content };
};

const forked: Reader = ({ payload }, key) => {
  const origin = payload.text("repository.origin.name");
  const copy = link(repositoryOf(payload), payload.maybeText("repository.links.self.0.href"));
  return { event: key, topic: origin, content: `${who(payload)} forked ${plain(origin)} as ${copy}.` };
};

const renamed: Reader = ({ payload }, key) => {
  const name = payload.text("new.name");
  const before = plain(payload.maybeText("old.name") ?? "a repository");
  const did = payload.maybeText("old.name") === name ? `changed ${plain(name)}` : `renamed ${before} to ${plain(name)}`;
  return { event: key, topic: name, content: `${who(payload)} ${did}.` };
};

const pullRequestOf = (payload: Payload): Item => ({
  kind: "pull request",
  number: payload.text("pullRequest.id"),
  title: payload.maybeText("pullRequest.title") ?? "",
  url: payload.maybeText("pullRequest.links.self.0.href"),
});
const pullRequestTopic = (payload: Payload): string =>
  itemTopic(payload.text("pullRequest.toRef.repository.name"), pullRequestOf(payload));

const VERBS: Record<string, string> = {
  "pr:opened": "opened",
  "pr:modified": "edited",
  "pr:from_ref_updated": "pushed commits to",
  "pr:merged": "merged",
  "pr:declined": "declined",
  "pr:deleted": "deleted",
  "pr:reviewer:approved": "approved",
  "pr:reviewer:unapproved": "took back the approval of",
  "pr:reviewer:needs_work": "asked for work on",
  "pr:reviewer:changes_requested": "requested changes on",
};

const pullRequest: Reader = (call, key) => {
  const { payload } = call;
  const from = payload.maybeText("pullRequest.fromRef.displayId");
  const to = payload.maybeText("pullRequest.toRef.displayId");
  const isText = key === "pr:opened" || key === "pr:modified";
  const description = payload.maybeText("pullRequest.description");
  const reviewers = payload.maybeList("pullRequest.reviewers").map((reviewer) => personAt(reviewer, "user"));
  const content = itemContent(call, {
    item: pullRequestOf(payload),
    who: who(payload),
    did: lookUp(VERBS, key) ?? "changed",
    branches: key === "pr:opened" || key === "pr:merged" ? { from, to } : undefined,
    body: isText && description !== payload.maybeText("previousDescription") ? description : undefined,
  });
  const asked = isText && reviewers.length > 0 ? `Reviewers: ${listed(reviewers.slice(0, 10))}` : undefined;
  return { event: key, topic: pullRequestTopic(payload), content: paragraphs(content, asked) };
};

const reviewersChanged: Reader = (call, key) => {
  const { payload } = call;
  const all = payload.maybeList("pullRequest.reviewers").map((reviewer) => personAt(reviewer, "user"));
  const [added, removed] = ["addedReviewers", "removedReviewers"].map((list) => payload.maybeList(list).map(personOf));
  const names = (people: readonly string[]): string => listed(people.slice(0, 10));
  const did = added?.length
    ? `asked ${names(added)} to review`
    : all.length === 0
      ? "removed all reviewers of"
      : removed?.length
        ? `removed ${names(removed)} from the reviewers of`
        : `asked ${names(all)} to review`;
  const content = itemContent(call, { item: pullRequestOf(payload), who: who(payload), did });
  return { event: key, topic: pullRequestTopic(payload), content };
};

const pullRequestComment: Reader = (call, key) => {
  const { payload } = call;
  const content = itemContent(call, {
    item: pullRequestOf(payload),
    who: who(payload),
    did: `${lookUp(COMMENT_VERBS, lastPart(key))} on`,
    body: payload.maybeText("comment.text"),
  });
  return { event: key, topic: pullRequestTopic(payload), content };
};

const named = (keys: readonly string[], reader: Reader): [string, Reader][] => keys.map((key) => [key, reader]);

const readers: ReadonlyMap<string, Reader> = new Map([
  ...named(["diagnostics:ping"], ping),
  ...named(["repo:refs_changed"], refsChanged),
  ...named(["repo:comment:added", "repo:comment:edited", "repo:comment:deleted"], commitComment),
  ...named(["repo:forked"], forked),
  ...named(["repo:modified"], renamed),
  ...named(Object.keys(VERBS), pullRequest),
  ...named(["pr:reviewer:updated"], reviewersChanged),
  ...named(["pr:comment:added", "pr:comment:edited", "pr:comment:deleted"], pullRequestComment),
]);

/** A ping names its event only in the header. */
function read(call: Call): Reading {
  const key = call.payload.maybeText("eventKey") ?? call.eventHeader("X-Event-Key");
  return readers.get(key)?.(call, key) ?? { unsupported: key };
}

export const bitbucketServer: Integration = {
  name: "bitbucket3",
  displayName: "Bitbucket Server",
  color: "#0052cc",
  client: "Bitbucket3",
  events: [...readers.keys()],
  options: [branchesOption],
  escapesTwice: true,
  setUp: `In the repository, open **Repository settings → Webhooks → Create webhook**.

1. *URL*: \`{address}\`. **Test connection** sends a message at once.
2. *Secret*: the bot's secret, if you gave it one. Deliveries without the right signature are then refused.
3. *Events*: what you want to be notified of.

Add \`branches=main,release\` to the address to be notified of pushes to these branches only.`,
  verify: atlassianSignature,
  read,
};
