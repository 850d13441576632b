import { branchTopic, commitLink } from "../git.ts";
import type { Reading } from "../integration.ts";
import { buildMark, link, plain, quote, withBody, words } from "../markdown.ts";

import { type GitHubEvent, type Reader, repositoryName } from "./event.ts";

/* Checks, workflows, deployments, pages and security alerts. */

const report = (event: GitHubEvent, content: string, place?: string): Reading => ({
  event: event.header,
  topic: place === undefined ? repositoryName(event) : branchTopic(repositoryName(event), place),
  content,
});

const checkRun: Reader = (event) => {
  const run = event.payload.at("check_run");
  if (run.text("status") !== "completed") return { ignored: "Only checks that are completed are reported." };
  const conclusion = run.maybeText("conclusion") ?? "no conclusion";
  const commit = commitLink(run.text("head_sha"), commitUrl(event, run.text("head_sha")));
  const name = link(run.text("name"), run.maybeText("html_url"));
  return report(event, `${buildMark(conclusion)}The check ${name} of ${commit} ended: ${words(conclusion)}.`, "checks");
};

function commitUrl({ payload }: GitHubEvent, hash: string): string | undefined {
  const repository = payload.maybeText("repository.html_url");
  return repository === undefined ? undefined : `${repository}/commit/${hash}`;
}

const workflowRun: Reader = (event) => {
  const run = event.payload.at("workflow_run");
  if (event.action !== "completed") return { ignored: "Only workflows that are completed are reported." };
  const conclusion = run.maybeText("conclusion") ?? "no conclusion";
  const number = run.maybeText("run_number");
  const name = run.maybeText("name", "display_title") ?? "workflow";
  const shown = link(number === undefined ? name : `${name} #${number}`, run.maybeText("html_url"));
  const branch = run.maybeText("head_branch");
  const where = branch === undefined ? "" : ` on ${plain(branch)}`;
  return report(event, `${buildMark(conclusion)}The workflow ${shown}${where} ended: ${words(conclusion)}.`, "checks");
};

const status: Reader = (event) => {
  const { payload } = event;
  const hash = payload.text("sha");
  const commit = commitLink(hash, payload.maybeText("commit.html_url"));
  const state = payload.text("state");
  const target = payload.maybeText("target_url");
  const context = payload.maybeText("context");
  const named = context === undefined ? "" : ` by ${plain(context)}`;
  return report(event, `${buildMark(state)}The status of ${commit} is now ${link(state, target)}${named}.`);
};

const deployment: Reader = (event) => {
  const { payload, header, who } = event;
  const environment = payload.text("deployment.environment");
  const place = `Deployment on ${environment}`;
  if (header === "deployment") return report(event, `${who} began a deployment on ${plain(environment)}.`, place);
  const state = payload.text("deployment_status.state");
  const url = payload.maybeText("deployment_status.target_url");
  return report(
    event,
    `${buildMark(state)}The deployment on ${plain(environment)} is now ${link(words(state), url)}.`,
    place,
  );
};

const pageBuild: Reader = (event) => {
  const { payload, who } = event;
  const build = payload.at("build");
  const state = build.text("status");
  const pusher = build.maybeText("pusher.login");
  const starter = pusher === undefined ? who : plain(pusher);
  const error = quote(build.maybeText("error.message"));
  const summary = `The build of the pages that ${starter} started is now ${words(state)}`;
  return report(event, withBody(summary, error));
};

const alert: Reader = (event) => {
  const { payload, header, action, who } = event;
  const found = payload.at("alert");
  const kind = header === "dependabot_alert" ? "Dependabot alert" : "code scanning alert";
  const name = link(`${kind} #${found.text("number")}`, found.maybeText("html_url"));
  const severity = found.maybeText("security_advisory.severity", "rule.security_severity_level", "rule.severity");
  const summary = found.maybeText("security_advisory.summary", "rule.description", "rule.name");
  const dependency = found.maybeText("dependency.package.name");
  const about = [severity && `severity ${plain(severity)}`, dependency && `package ${plain(dependency)}`];
  const aside = about.filter(Boolean).join(", ");
  const sentence = `${who}: ${name} ${words(action || "changed")}${aside && ` (${aside})`}`;
  return report(event, summary === undefined ? `${sentence}.` : `${sentence}: ${plain(summary)}`, "alerts");
};

export const checkReaders: Record<string, Reader> = {
  check_run: checkRun,
  workflow_run: workflowRun,
  status,
  deployment,
  deployment_status: deployment,
  page_build: pageBuild,
  dependabot_alert: alert,
  code_scanning_alert: alert,
};
