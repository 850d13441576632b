import { changesBody, commitLink, type Item, type ItemNews, itemContent, itemTopic } from "../git.ts";
import type { Reading } from "../integration.ts";
import { link, paragraphs, plain, quote, withBody, words } from "../markdown.ts";
import { lookUp, type Payload } from "../payload.ts";
import { type GitHubEvent, isUnchangedEdit, notSupported, personIn, type Reader, repositoryName } from "./event.ts";

/* Issues, pull requests, discussions, and comments on them. */

interface News extends Pick<ItemNews, "did" | "after" | "body" | "assignees" | "branches"> {
  readonly event: string;
}

const itemIn = (part: Payload, kind: Item["kind"]): Item => ({
  kind,
  number: part.text("number"),
  title: part.maybeText("title") ?? "",
  url: part.maybeText("html_url"),
});

function report(event: GitHubEvent, item: Item, { event: name, ...news }: News): Reading {
  const content = itemContent(event.call, { item, who: event.who, ...news });
  return { event: name, topic: itemTopic(repositoryName(event), item), content };
}

function reportIssue(event: GitHubEvent, news: News): Reading {
  const issue = event.payload.at("issue");
  return report(event, itemIn(issue, issue.isObject("pull_request") ? "pull request" : "issue"), news);
}

function reportPullRequest(
  event: GitHubEvent,
  { withBranches = false, ...news }: News & { readonly withBranches?: boolean },
): Reading {
  const pullRequest = event.payload.at("pull_request");
  const branches = withBranches
    ? {
        from: pullRequest.maybeText("head.label", "head.ref"),
        to: pullRequest.maybeText("base.label", "base.ref"),
      }
    : undefined;
  return report(event, itemIn(pullRequest, "pull request"), { ...news, branches });
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
      return reportIssue(event, { event: "issue_labeled_or_unlabeled", did });
    }
    case "milestoned":
    case "demilestoned": {
      const title = payload.maybeText("milestone.title") ?? "a milestone";
      const milestone = `the milestone ${link(title, payload.maybeText("milestone.html_url"))}`;
      const did = action === "milestoned" ? "added" : "removed";
      const after = `${action === "milestoned" ? "to" : "from"} ${milestone}`;
      return reportIssue(event, { event: "issue_milestoned_or_demilestoned", did, after });
    }
    case "transferred":
      return reportIssue(event, { event: "issues_transferred", did: "moved", after: `to ${otherIssue(event, "new")}` });
    case "assigned":
    case "unassigned": {
      const name = personIn(payload, "assignee") ?? "somebody";
      return reportIssue(event, {
        event: "issues",
        did: action === "assigned" ? `assigned ${name} to` : `took ${name} off`,
      });
    }
    case "opened": {
      const body = payload.maybeText("issue.body");
      if (payload.has("changes.old_issue")) {
        return reportIssue(event, {
          event: "issues_opened_via_transfer",
          did: "moved",
          after: `here from ${otherIssue(event, "old")}`,
        });
      }
      const assignee = payload.maybeText("issue.assignee.login", "assignee.login");
      return reportIssue(event, {
        event: "issues",
        did: action,
        body,
        assignees: assignee === undefined ? [] : [assignee],
      });
    }
    default: {
      const body = action === "edited" && changesBody(payload) ? payload.maybeText("issue.body") : undefined;
      return reportIssue(event, { event: "issues", did: words(action), body });
    }
  }
};

function otherIssue({ payload }: GitHubEvent, which: "old" | "new"): string {
  const repository = payload.maybeText(`changes.${which}_repository.full_name`) ?? "another repository";
  const number = payload.maybeText(`changes.${which}_issue.number`);
  const name = number === undefined ? repository : `${repository}#${number}`;
  return link(name, payload.maybeText(`changes.${which}_issue.html_url`));
}

/** "commented on", or "edited a comment on", with a link to the comment. */
function commentVerb({ action, payload }: GitHubEvent): string {
  const url = payload.maybeText("comment.html_url");
  if (action === "created" || action === "") return `${link("commented", url)} on`;
  return `${plain(action)} ${link("a comment", url)} on`;
}

const issueComment: Reader = (event) => {
  const { action, payload } = event;
  const body = payload.maybeText("comment.body");
  if (isUnchangedEdit(event, body)) return { ignored: "The comment was saved again as it was." };
  return reportIssue(event, {
    event: "issue_comment",
    did: commentVerb(event),
    body: action === "deleted" ? undefined : body,
  });
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
  const isText = ["", "created"].includes(action) || (action === "edited" && changesBody(payload));
  const body = isText ? quote(payload.maybeText("discussion.body")) : undefined;
  const did = action === "created" || action === "" ? "started" : words(action);
  return {
    event: "discussion",
    topic: discussionTopic(event),
    content: withBody(`${who} ${did} ${discussionLink(event)}${within}`, body),
  };
};

const discussionComment: Reader = (event) => {
  const body = event.action === "deleted" ? undefined : quote(event.payload.maybeText("comment.body"));
  return {
    event: "discussion_comment",
    topic: discussionTopic(event),
    content: withBody(`${event.who} ${commentVerb(event)} ${discussionLink(event)}`, body),
  };
};

const issueEvents = [
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

const SILENT_ACTIONS = ["approved", "converted_to_draft", "labeled", "unlabeled", "review_request_removed"];

const pullRequest: Reader = (event) => {
  const { action, payload } = event;
  const body = payload.maybeText("pull_request.body");
  switch (action) {
    case "opened":
    case "reopened": {
      const assignee = payload.maybeText("pull_request.assignee.login");
      const assignees = assignee === undefined ? [] : [assignee];
      const isNew = action === "opened";
      const did = isNew && payload.isTrue("pull_request.draft") ? "opened the draft" : action;
      const details = isNew ? { body, assignees } : { assignees };
      return reportPullRequest(event, { event: "opened_pull_request", did, withBranches: isNew, ...details });
    }
    case "synchronize":
      return reportPullRequest(event, { event: "updated_pull_request", did: "pushed commits to" });
    case "edited":
      return reportPullRequest(event, {
        event: "updated_pull_request",
        did: "edited",
        body: changesBody(payload) ? body : undefined,
      });
    case "closed": {
      const isMerged = payload.isTrue("pull_request.merged");
      const details = isMerged ? { did: "merged", withBranches: true } : { did: "closed", after: "without a merge" };
      return reportPullRequest(event, { event: "closed_pull_request", ...details });
    }
    case "assigned":
    case "unassigned": {
      const name = personIn(payload, "assignee") ?? "somebody";
      const did = action === "assigned" ? `assigned ${name} to` : `took ${name} off`;
      return reportPullRequest(event, { event: "assigned_or_unassigned_pull_request", did });
    }
    case "review_requested": {
      const reviewer = personIn(payload, "requested_reviewer") ?? personIn(payload, "requested_team") ?? "somebody";
      return reportPullRequest(event, { event: "pull_request_review_requested", did: `asked ${reviewer} to review` });
    }
    case "ready_for_review":
      return reportPullRequest(event, {
        event: "pull_request_ready_for_review",
        did: "marked",
        after: "as ready for review",
      });
    case "locked":
    case "unlocked": {
      const reason = payload.maybeText("pull_request.active_lock_reason");
      const after = reason && action === "locked" ? `as ${plain(reason)}` : undefined;
      return reportPullRequest(event, { event: "locked_or_unlocked_pull_request", did: action, after });
    }
    case "auto_merge_enabled":
    case "auto_merge_disabled": {
      const did = `${action === "auto_merge_enabled" ? "enabled" : "disabled"} automatic merging of`;
      return reportPullRequest(event, { event: "pull_request_auto_merge", did });
    }
    case "enqueued":
    case "dequeued": {
      const details =
        action === "enqueued"
          ? { did: "put", after: "into the merge queue" }
          : { did: "took", after: "out of the merge queue" };
      return reportPullRequest(event, { event: "pull_request_merge_queue", ...details });
    }
    default:
      if (SILENT_ACTIONS.includes(action)) return { ignored: `Pull requests that are ${action} are not reported.` };
      return notSupported(event);
  }
};

const VERDICTS: Record<string, string> = {
  approved: "approved",
  changes_requested: "requested changes on",
  commented: "reviewed",
};

const review: Reader = (event) => {
  const { action, payload } = event;
  const isEmptyEdit = action === "edited" && payload.keys("changes").length === 0;
  if (isEmptyEdit) return { ignored: "The review was saved again as it was." };
  const url = payload.maybeText("review.html_url");
  const did =
    action === "submitted"
      ? link(lookUp(VERDICTS, payload.maybeText("review.state") ?? "") ?? "reviewed", url)
      : `${plain(action || "changed")} ${link("a review", url)} of`;
  const body = action === "submitted" ? payload.maybeText("review.body") : undefined;
  return reportPullRequest(event, { event: "pull_request_review", did, body });
};

const reviewComment: Reader = (event) => {
  const { action, payload } = event;
  const body = payload.maybeText("comment.body");
  if (isUnchangedEdit(event, body)) return { ignored: "The comment was saved again as it was." };
  const url = payload.maybeText("comment.html_url");
  const isNew = action === "created";
  const did = isNew ? `${link("commented", url)} on` : `${plain(action || "changed")} ${link("a comment", url)} on`;
  return reportPullRequest(event, { event: "pull_request_review_comment", did, body: isNew ? body : undefined });
};

export const itemReaders: Record<string, Reader> = {
  issues,
  issue_comment: issueComment,
  commit_comment: commitComment,
  discussion,
  discussion_comment: discussionComment,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
};

const pullRequestEvents = [
  "opened_pull_request",
  "updated_pull_request",
  "closed_pull_request",
  "assigned_or_unassigned_pull_request",
  "pull_request_review_requested",
  "pull_request_ready_for_review",
  "locked_or_unlocked_pull_request",
  "pull_request_auto_merge",
  "pull_request_merge_queue",
  "pull_request_review",
  "pull_request_review_comment",
];

export const itemEvents = [...pullRequestEvents, ...issueEvents];
