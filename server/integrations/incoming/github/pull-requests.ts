import { type Item, itemContent, itemTopic } from "../git.ts";
import type { Reading } from "../integration.ts";
import { link, plain } from "../markdown.ts";
import { lookUp } from "../payload.ts";
import { type GitHubEvent, isUnchangedEdit, notSupported, personIn, type Reader, repositoryName } from "./event.ts";

const pullRequestOf = ({ payload }: GitHubEvent): Item => {
  const pullRequest = payload.at("pull_request");
  return {
    kind: "pull request",
    number: pullRequest.text("number"),
    title: pullRequest.maybeText("title") ?? "",
    url: pullRequest.maybeText("html_url"),
  };
};

interface News {
  readonly event: string;
  readonly did: string;
  readonly after?: string | undefined;
  readonly withBranches?: boolean;
  readonly assignees?: readonly string[];
  readonly body?: string | undefined;
}

function report(event: GitHubEvent, { event: name, withBranches = false, ...news }: News): Reading {
  const { call, payload, who } = event;
  const item = pullRequestOf(event);
  const from = payload.maybeText("pull_request.head.label", "pull_request.head.ref");
  const to = payload.maybeText("pull_request.base.label", "pull_request.base.ref");
  const branches = withBranches ? { from, to } : undefined;
  return {
    event: name,
    topic: itemTopic(repositoryName(event), item),
    content: itemContent(call, { item, who, branches, ...news }),
  };
}

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
      return report(event, { event: "opened_pull_request", did, withBranches: isNew, ...details });
    }
    case "synchronize":
      return report(event, { event: "updated_pull_request", did: "pushed commits to" });
    case "edited":
      return report(event, {
        event: "updated_pull_request",
        did: "edited",
        body: payload.has("changes.body") ? body : undefined,
      });
    case "closed": {
      const isMerged = payload.isTrue("pull_request.merged");
      const details = isMerged ? { did: "merged", withBranches: true } : { did: "closed", after: "without a merge" };
      return report(event, { event: "closed_pull_request", ...details });
    }
    case "assigned":
    case "unassigned": {
      const name = personIn(payload, "assignee") ?? "somebody";
      const did = action === "assigned" ? `assigned ${name} to` : `took ${name} off`;
      return report(event, { event: "assigned_or_unassigned_pull_request", did });
    }
    case "review_requested": {
      const reviewer = personIn(payload, "requested_reviewer") ?? personIn(payload, "requested_team") ?? "somebody";
      return report(event, { event: "pull_request_review_requested", did: `asked ${reviewer} to review` });
    }
    case "ready_for_review":
      return report(event, { event: "pull_request_ready_for_review", did: "marked", after: "as ready for review" });
    case "locked":
    case "unlocked": {
      const reason = payload.maybeText("pull_request.active_lock_reason");
      const after = reason && action === "locked" ? `as ${plain(reason)}` : undefined;
      return report(event, { event: "locked_or_unlocked_pull_request", did: action, after });
    }
    case "auto_merge_enabled":
    case "auto_merge_disabled": {
      const did = `${action === "auto_merge_enabled" ? "enabled" : "disabled"} automatic merging of`;
      return report(event, { event: "pull_request_auto_merge", did });
    }
    case "enqueued":
    case "dequeued": {
      const details =
        action === "enqueued"
          ? { did: "put", after: "into the merge queue" }
          : { did: "took", after: "out of the merge queue" };
      return report(event, { event: "pull_request_merge_queue", ...details });
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
  return report(event, { event: "pull_request_review", did, body });
};

const reviewComment: Reader = (event) => {
  const { action, payload } = event;
  const body = payload.maybeText("comment.body");
  if (isUnchangedEdit(event, body)) return { ignored: "The comment was saved again as it was." };
  const url = payload.maybeText("comment.html_url");
  const isNew = action === "created";
  const did = isNew ? `${link("commented", url)} on` : `${plain(action || "changed")} ${link("a comment", url)} on`;
  return report(event, { event: "pull_request_review_comment", did, body: isNew ? body : undefined });
};

export const pullRequestReaders: Record<string, Reader> = {
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
};

export const pullRequestEvents = [
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
