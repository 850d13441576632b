import { alertmanager } from "./alertmanager.ts";
import { bitbucketCloud } from "./bitbucket-cloud.ts";
import { bitbucketServer } from "./bitbucket-server.ts";
import { forgejo, gitea, gogs } from "./gitea.ts";
import { github, githubSponsors } from "./github/github.ts";
import { gitlab } from "./gitlab.ts";
import { grafana } from "./grafana.ts";
import type { Integration } from "./integration.ts";
import { jira } from "./jira.ts";
import { json } from "./json.ts";
import { sentry } from "./sentry.ts";
import { slackIncoming } from "./slack.ts";
import { helloWorld, homeAssistant } from "./small.ts";
import { stripe } from "./stripe.ts";
import { trello } from "./trello.ts";
import { healthchecks, uptimeKuma, uptimeRobot } from "./uptime.ts";

/** In the order of the menu. */
export const integrations: readonly Integration[] = [
  slackIncoming,
  json,
  github,
  githubSponsors,
  gitlab,
  gitea,
  forgejo,
  gogs,
  bitbucketCloud,
  bitbucketServer,
  grafana,
  alertmanager,
  uptimeKuma,
  uptimeRobot,
  healthchecks,
  sentry,
  jira,
  trello,
  homeAssistant,
  stripe,
  helloWorld,
];

const byName: ReadonlyMap<string, Integration> = new Map(integrations.map((each) => [each.name, each]));

export const integrationNamed = (name: string): Integration | undefined => byName.get(name);
