import { commitLink, type Item, type ItemNews, itemContent, itemTopic } from "../git.ts";
import type { Reading } from "../integration.ts";
import { link, paragraphs, plain, quote } from "../markdown.ts";
import { type GitHubEvent, isUnchangedEdit, notSupported, personIn, type Reader, repositoryName } from "./event.ts";

function issueOf({ payload }: GitHubEvent): Item {
  const issue = payload.at("issue");
  return {
    kind: issue.isObject("pull_request") ? "pull request" : "issue",
    number: issue.text("number"),
    title: issue.maybeText("title") ?? "",
    url: issue.maybeText("html_url"),
  };
}

function report(
  event: GitHubEvent,
  name: string,
  details: Pick<ItemNews, "did" | "after" | "body" | "assignees">,
): Reading {
  const item = issueOf(event);
  const content = itemContent(event.call, { item, who: event.who, ...details });
  return { event: name, topic: itemTopic(repositoryName(event), item), content };
}

const issues: Reader = (event) => {
  const { action, payload } = event;
  switch (action) {
    case "":
      return notSupported(event);
    case "labeled":
    case "unlabeled": {
      const label = plain(payload.maybeText("label.name") ?? "a label");
      const did = action === "labeled" ? `added the label ${label} to` : `removed the label ${label} from`;
      return report(event, "issue_labeled_or_unlabeled", { did });
    }
    case "milestoned":
    case "demilestoned": {
      const title = payload.maybeText("milestone.title") ?? "a milestone";
      const milestone = `the milestone ${link(title, payload.maybeText("milestone.html_url"))}`;
      const did = action === "milestoned" ? "added" : "removed";
      const after = `${action === "milestoned" ? "to" : "from"} ${milestone}`;
      return report(event, "issue_milestoned_or_demilestoned", { did, after });
    }
    case "transferred":
      return report(event, "issues_transferred", { did: "moved", after: `to ${otherIssue(event, "new")}` });
    case "assigned":
    case "unassigned": {
      const name = personIn(payload, "assignee") ?? "somebody";
      return report(event, "issues", { did: action === "assigned" ? `assigned ${name} to` : `took ${name} off` });
    }
    case "opened": {
      const body = payload.maybeText("issue.body");
      if (payload.has("changes.old_issue")) {
        return report(event, "issues_opened_via_transfer", {
          did: "moved",
          after: `here from ${otherIssue(event, "old")}`,
        });
      }
      const assignee = payload.maybeText("issue.assignee.login", "assignee.login");
      return report(event, "issues", { did: action, body, assignees: assignee === undefined ? [] : [assignee] });
    }
    default: {
      const body = action === "edited" ? payload.maybeText("issue.body") : undefined;
      return report(event, "issues", { did: plain(action.replaceAll("_", " ")), body });
    }
  }
};

function otherIssue({ payload }: GitHubEvent, which: "old" | "new"): string {
  const repository = payload.maybeText(`changes.${which}_repository.full_name`) ?? "another repository";
  const number = payload.maybeText(`changes.${which}_issue.number`);
  const name = number === undefined ? repository : `${repository}#${number}`;
  return link(name, payload.maybeText(`changes.${which}_issue.html_url`));
}

/** "commented on", with a link to the comment; of other actions what was done to it. */
function commentVerb({ action, payload }: GitHubEvent): string {
  const url = payload.maybeText("comment.html_url");
  if (action === "created" || action === "") return `${link("commented", url)} on`;
  return `${plain(action)} ${link("a comment", url)} on`;
}

const issueComment: Reader = (event) => {
  const { action, payload } = event;
  const body = payload.maybeText("comment.body");
  if (isUnchangedEdit(event, body)) return { ignored: "The comment was saved again as it was." };
  return report(event, "issue_comment", { did: commentVerb(event), body: action === "deleted" ? undefined : body });
};

const commitComment: Reader = (event) => {
  const { payload, who } = event;
  const url = payload.maybeText("comment.html_url");
  const commit = commitLink(payload.text("comment.commit_id"), url);
  return {
    event: "commit_comment",
    topic: repositoryName(event),
    content: paragraphs(`${who} commented on the commit ${commit}:`, quote(payload.maybeText("comment.body"))),
  };
};

const discussionTopic = (event: GitHubEvent): string => {
  const title = event.payload.maybeText("discussion.title") ?? "";
  return `${repositoryName(event)} discussion #${event.payload.text("discussion.number")}: ${title}`;
};

function discussionLink({ call, payload }: GitHubEvent): string {
  const title = payload.maybeText("discussion.title");
  const number = `discussion #${payload.text("discussion.number")}`;
  const name = call.topic !== undefined && title !== undefined ? `${number} ${title}` : number;
  return link(name, payload.maybeText("discussion.html_url"));
}

const discussion: Reader = (event) => {
  const { action, payload, who } = event;
  const category = payload.maybeText("discussion.category.name");
  const within = category === undefined ? "" : ` in ${plain(category)}`;
  const body = ["", "created", "edited"].includes(action) ? quote(payload.maybeText("discussion.body")) : undefined;
  const did = action === "created" || action === "" ? "started" : plain(action.replaceAll("_", " "));
  return {
    event: "discussion",
    topic: discussionTopic(event),
    content: paragraphs(`${who} ${did} ${discussionLink(event)}${within}${body ? ":" : "."}`, body),
  };
};

const discussionComment: Reader = (event) => {
  const body = event.action === "deleted" ? undefined : quote(event.payload.maybeText("comment.body"));
  return {
    event: "discussion_comment",
    topic: discussionTopic(event),
    content: paragraphs(`${event.who} ${commentVerb(event)} ${discussionLink(event)}${body ? ":" : "."}`, body),
  };
};

export const issueReaders: Record<string, Reader> = {
  issues,
  issue_comment: issueComment,
  commit_comment: commitComment,
  discussion,
  discussion_comment: discussionComment,
};

export const issueEvents = [
  "issues",
  "issue_labeled_or_unlabeled",
  "issue_milestoned_or_demilestoned",
  "issues_transferred",
  "issues_opened_via_transfer",
  "issue_comment",
  "commit_comment",
  "discussion",
  "discussion_comment",
];
