import type { Call } from "./integration.ts";
import { code, counted, cut, link, listed, oneLine, paragraphs, plain, quote, withBody } from "./markdown.ts";
import type { Payload } from "./payload.ts";

const MAX_COMMITS = 20;
const MAX_AUTHORS = 3;

/** Messages show the first MAX_COMMITS, and count the others by author. */
export interface Commit {
  readonly hash?: string;
  readonly message?: string;
  readonly url?: string | undefined;
  readonly author?: string | undefined;
}

/** The commits of a push. `author` has the fields in which a service sends the author's name. */
export const commitsIn = (push: Payload, author: readonly string[], { hash = "id", url = "url" } = {}): Commit[] =>
  push.maybeList("commits").map((commit, index) => ({
    ...(index < MAX_COMMITS && {
      hash: commit.text(hash),
      message: commit.maybeText("message", "title") ?? "",
      url: commit.maybeText(url),
    }),
    author: commit.maybeText(...author),
  }));

export interface Push {
  /** The person who pushed, in Markdown. `pusher` is their name as an author of commits. */
  readonly who: string;
  readonly pusher?: string | undefined;
  readonly branch: string;
  /** The page that shows the push. */
  readonly url?: string | undefined;
  readonly commits: readonly Commit[];
  /** The number of commits, if `commits` is not complete. */
  readonly total?: number | undefined;
  /** Whether there are more commits, of an unknown number. */
  readonly moreThan?: boolean;
  readonly isForced?: boolean;
}

export const branchTopic = (repository: string, branch: string): string => `${repository} / ${branch}`;

/** The branch of `refs/heads/…`; undefined for a tag. */
export const branchOf = (ref: string): string | undefined =>
  ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
export const tagOf = (ref: string): string => ref.replace(/^refs\/tags\//, "");

export function pushContent({ who, pusher, branch, url, commits, total, moreThan, isForced = false }: Push): string {
  const pushed = isForced ? "force-pushed" : "pushed";
  if (commits.length === 0) return `${who} ${pushed} ${link("the branch", url)} ${code(branch)}.`;
  const count = Math.max(total ?? 0, commits.length);
  const number = moreThan ? `more than ${counted(count, "commit")}` : counted(count, "commit");
  const summary = `${who} ${pushed} ${link(number, url)} to ${code(branch)}.${authorsSentence(commits, pusher)}`;
  return paragraphs(summary, commitList(commits, count));
}

export const branchDeleted = (who: string, branch: string): string => `${who} deleted the branch ${code(branch)}.`;

/** `before` of a new branch or tag, and `after` of a deleted one, consist of zeros. */
export const isNothing = (hash: string | undefined): boolean => hash !== undefined && /^0+$/.test(hash);

export type TagChange = "pushed" | "moved" | "removed";

export function tagChange(before: string | undefined, after: string | undefined): TagChange {
  if (isNothing(after)) return "removed";
  return before === undefined || after === undefined || isNothing(before) ? "pushed" : "moved";
}

export const tagContent = (who: string, change: TagChange, tag: string, url?: string): string =>
  `${who} ${change} the tag ${link(tag, change === "removed" ? undefined : url)}.`;

export const shortHash = (hash: string): string => hash.slice(0, 11);

export const commitLink = (hash: string, url: string | undefined): string => link(shortHash(hash), url);

function commitList(commits: readonly Commit[], count: number): string {
  const rows = commits.slice(0, MAX_COMMITS).map(({ hash = "", message = "", url }) => {
    const [subject = ""] = message.trimStart().split(/[\r\n]/, 1);
    return `- ${plain(cut(oneLine(subject), 120)) || "(no message)"} (${commitLink(hash, url)})`;
  });
  const more = count - rows.length;
  return (more > 0 ? [...rows, `- and ${more} more ${more === 1 ? "commit" : "commits"}`] : rows).join("\n");
}

/** The authors of the commits, by number of commits. Empty if the pusher is the only author. */
function authorsSentence(commits: readonly Commit[], pusher: string | undefined): string {
  const counts = new Map<string, number>();
  for (const { author } of commits) if (author) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && pusher !== undefined && counts.has(pusher))) return "";
  const ordered = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  const others = ordered.slice(MAX_AUTHORS).reduce((sum, [, count]) => sum + count, 0);
  const names = ordered.slice(0, MAX_AUTHORS).map(([name, count]) => `${plain(name)} (${count})`);
  return ` Commits by ${listed(others > 0 ? [...names, `others (${others})`] : names)}.`;
}

export interface Item {
  readonly kind: "issue" | "pull request" | "merge request" | "snippet";
  readonly number: string;
  readonly title: string;
  readonly url?: string | undefined;
}

const TOPIC_WORD = { issue: "issue", "pull request": "PR", "merge request": "MR", snippet: "snippet" };

export const itemTopic = (repository: string, { kind, number, title }: Item): string =>
  `${repository} / ${TOPIC_WORD[kind]} #${number}${title === "" ? "" : ` ${title}`}`;

/** Includes the title if the URL sets the topic, since the topic then lacks it. */
export function itemLink(call: Call, { kind, number, title, url }: Item): string {
  const withTitle = call.topic !== undefined && title !== "";
  return link(withTitle ? `${kind} #${number} ${title}` : `${kind} #${number}`, url);
}

/** Whether an edit can have changed the body. Most services name what an edit changed. */
export const changesBody = (payload: Payload, field = "body"): boolean =>
  !payload.isObject("changes") || payload.has(`changes.${field}`);

export interface ItemNews {
  readonly item: Item;
  readonly who: string;
  /** The action in Markdown, before the item: "opened", "requested changes on". `after` follows the item: "as spam". */
  readonly did: string;
  readonly after?: string | undefined;
  readonly branches?: { readonly from: string | undefined; readonly to: string | undefined } | undefined;
  readonly assignees?: readonly string[];
  readonly body?: string | undefined;
}

export function itemContent(call: Call, news: ItemNews): string {
  const { item, who, did, after, branches, assignees = [], body } = news;
  const between = branches?.from && branches.to ? ` from ${code(branches.from)} to ${code(branches.to)}` : "";
  const assigned = assignees.length === 0 ? "" : `, assigned to ${listed(assignees.map(plain))}`;
  const sentence = `${who} ${did} ${itemLink(call, item)}${after ? ` ${after}` : ""}${between}${assigned}`;
  const quoted = quote(body);
  return withBody(`${sentence}`, quoted);
}
