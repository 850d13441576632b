import {
  branchDeleted,
  branchOf,
  branchTopic,
  commitsIn,
  pushContent,
  type TagChange,
  tagChange,
  tagContent,
  tagOf,
} from "../git.ts";
import { OTHER_BRANCHES, type Reading } from "../integration.ts";
import { code, link, plain } from "../markdown.ts";
import type { Payload } from "../payload.ts";
import { type GitHubEvent, notSupported, personIn, type Reader, repositoryLink, repositoryName } from "./event.ts";

const report = (event: GitHubEvent, content: string, topic = repositoryName(event)): Reading => ({
  event: event.header,
  topic,
  content,
});

/** `forced` is not set for every moved tag. */
function changeOf(payload: Payload): TagChange {
  if (payload.isTrue("deleted")) return "removed";
  if (payload.isTrue("created")) return "pushed";
  return tagChange(payload.maybeText("before"), payload.maybeText("after"));
}

const push: Reader = (event) => {
  const { call, payload, who, sender } = event;
  const ref = payload.text("ref");
  const branch = branchOf(ref);
  const repository = repositoryName(event);
  if (branch === undefined) {
    const tag = tagOf(ref);
    const url = payload.maybeText("repository.html_url");
    const tagUrl = url === undefined ? undefined : `${url}/releases/tag/${tag}`;
    return { event: "push_tags", topic: repository, content: tagContent(who, changeOf(payload), tag, tagUrl) };
  }
  if (branch.startsWith("gh-readonly-queue/")) return { ignored: "Branches of the merge queue are not reported." };
  if (!call.wantsBranch(branch)) return OTHER_BRANCHES;
  const commits = commitsIn(payload, ["author.username", "author.name"]);
  const url = payload.maybeText("compare");
  const isForced = payload.isTrue("forced");
  const content = payload.isTrue("deleted")
    ? branchDeleted(who, branch)
    : pushContent({ who, pusher: sender, branch, url, commits, isForced });
  return { event: "push_commits", topic: branchTopic(repository, branch), content };
};

const createdOrDeleted: Reader = (event) => {
  const { header, payload, who } = event;
  const kind = plain(payload.maybeText("ref_type") ?? "reference");
  return report(
    event,
    `${who} ${header === "create" ? "created" : "deleted"} the ${kind} ${code(payload.text("ref"))}.`,
  );
};

const release: Reader = (event) => {
  const { action, payload, who } = event;
  const name = payload.maybeText("release.name", "release.tag_name") ?? payload.text("release.tag_name");
  const url = payload.maybeText("release.html_url");
  const tag = payload.maybeText("release.tag_name");
  const ofTag = tag === undefined || tag === name ? "" : ` (tag ${plain(tag)})`;
  return report(event, `${who} ${plain(action || "changed")} the release ${link(name, url)}${ofTag}.`);
};

const fork: Reader = (event) =>
  report(event, `${event.who} forked ${repositoryLink(event)} as ${personIn(event.payload, "forkee") ?? "a copy"}.`);

const starred: Reader = (event) =>
  report(
    event,
    `${event.who} ${event.action === "deleted" ? "took back the star of" : "starred"} ${repositoryLink(event)}.`,
  );

const watched: Reader = (event) => report(event, `${event.who} starred ${repositoryLink(event)}.`);

const repository: Reader = (event) =>
  report(event, `${event.who} ${plain(event.action || "changed")} the repository ${repositoryLink(event)}.`);

const madePublic: Reader = (event) =>
  report(event, `${event.who} made the repository ${repositoryLink(event)} public.`);

const teamAdded: Reader = (event) =>
  report(
    event,
    `The team ${plain(event.payload.text("team.name"))} was given the repository ${repositoryLink(event)}.`,
  );

const member: Reader = (event) => {
  const { action, payload, who } = event;
  const name = personIn(payload, "member") ?? "somebody";
  if (action === "added") return report(event, `${who} added ${name} to ${repositoryLink(event)}.`);
  if (action === "removed") return report(event, `${who} removed ${name} from ${repositoryLink(event)}.`);
  return report(event, `${who} changed what ${name} may do in ${repositoryLink(event)}.`);
};

const membership: Reader = (event) => {
  const { action, payload, who } = event;
  const did = action === "removed" ? ["removed", "from"] : ["added", "to"];
  const name = personIn(payload, "member") ?? "somebody";
  return report(
    event,
    `${who} ${did[0]} ${name} ${did[1]} the team ${plain(payload.text("team.name"))}.`,
    `${payload.text("organization.login")} organization`,
  );
};

const SILENT_TEAM_ACTIONS = ["added_to_repository", "created", "deleted", "removed_from_repository"];

const team: Reader = (event) => {
  const { action, payload, who } = event;
  if (SILENT_TEAM_ACTIONS.includes(action)) return { ignored: `Teams that are ${action} are not reported.` };
  if (action !== "edited") return notSupported(event);
  const name = payload.text("team.name");
  const old = payload.maybeText("changes.name.from");
  const did = old
    ? `renamed the team ${plain(old)} to ${plain(name)}`
    : payload.has("changes.privacy")
      ? `made the team ${plain(name)} ${plain(payload.maybeText("team.privacy") ?? "of another privacy")}`
      : payload.has("changes.description")
        ? `described the team ${plain(name)} as: ${plain(payload.maybeText("team.description") ?? "(nothing)")}`
        : `changed the team ${plain(name)}: ${payload.keys("changes").map(plain).join(", ") || "no details"}`;
  return report(event, `${who} ${did}`, `team ${name}`);
};

const gollum: Reader = (event) => {
  const pages = event.payload.list("pages").slice(0, 20);
  const rows = pages.map((page) => {
    const did = plain(page.maybeText("action") ?? "changed");
    return `- ${did} ${link(page.maybeText("title") ?? page.text("page_name"), page.maybeText("html_url"))}`;
  });
  const topic = `${repositoryName(event)} / wiki pages`;
  return report(event, `${event.who} changed the wiki:\n\n${rows.join("\n")}`, topic);
};

const ping: Reader = (event) => {
  const { payload, who } = event;
  const organization = payload.maybeText("organization.login");
  const name = payload.maybeText("repository.full_name", "repository.name") ?? organization ?? "GitHub";
  const topic = payload.maybeText("repository.name") ?? organization ?? "GitHub";
  const shown = link(name, payload.maybeText("repository.html_url"));
  return report(event, `${who} set up the webhook of ${shown}: its messages arrive.`, topic);
};

export const repositoryReaders: Record<string, Reader> = {
  push,
  create: createdOrDeleted,
  delete: createdOrDeleted,
  release,
  fork,
  star: starred,
  watch: watched,
  repository,
  public: madePublic,
  team_add: teamAdded,
  member,
  membership,
  team,
  gollum,
  ping,
};

export const repositoryEvents = [
  "push_commits",
  "push_tags",
  ...Object.keys(repositoryReaders).filter((header) => header !== "push"),
];
