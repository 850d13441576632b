import type { Sent } from "./requests.ts";

/*
 * A payload or two of each sender, reduced to the fields that are read. Tests change single fields, and the property
 * tests take all of them apart.
 */

const person = (name: string) => ({ login: name, username: name, name, html_url: `https://git.example/${name}` });
const HASH = "0123456789abcdef0123456789abcdef01234567";

/** Not a real payload, but all parts of GitHub's. */
const github = {
  action: "created",
  repository: { name: "hearth", full_name: "octo/hearth", html_url: "https://git.example/octo/hearth", private: false },
  organization: { login: "octo" },
  sender: person("iago"),
  ref: "refs/heads/main",
  ref_type: "branch",
  compare: "https://git.example/compare",
  commits: [{ id: HASH, url: "https://git.example/c", message: "One\n\nTwo", author: { username: "hamlet" } }],
  forced: false,
  deleted: false,
  pull_request: {
    number: 7,
    title: "Warm",
    html_url: "https://git.example/7",
    body: "Body",
    head: { label: "iago:warm" },
    base: { label: "octo:main" },
    assignee: person("hamlet"),
    active_lock_reason: "spam",
    merged: true,
  },
  requested_reviewer: person("othello"),
  review: { html_url: "https://git.example/r", body: "Well", state: "approved" },
  comment: { html_url: "https://git.example/c", body: "Why", commit_id: HASH },
  issue: { number: 3, title: "Smoke", html_url: "https://git.example/3", body: "Body", assignee: person("hamlet") },
  assignee: person("hamlet"),
  label: { name: "bug" },
  milestone: { title: "v1", html_url: "https://git.example/m" },
  changes: { tier: { from: { name: "Gold" } }, privacy_level: { from: "public" } },
  discussion: { number: 5, title: "Logs", body: "Oak", html_url: "https://git.example/d", category: { name: "Ideas" } },
  release: { name: "One", tag_name: "v1", html_url: "https://git.example/v1" },
  forkee: { name: "chimney", html_url: "https://git.example/f" },
  member: person("hamlet"),
  team: { name: "Stokers", privacy: "secret", description: "Warm" },
  check_run: {
    name: "build",
    html_url: "https://git.example/b",
    status: "completed",
    conclusion: "failure",
    head_sha: HASH,
  },
  workflow_run: {
    name: "CI",
    run_number: 4,
    conclusion: "success",
    head_branch: "main",
    html_url: "https://git.example/w",
  },
  sha: HASH,
  state: "success",
  target_url: "https://git.example/t",
  context: "ci",
  commit: { html_url: "https://git.example/c" },
  deployment: { environment: "production" },
  deployment_status: { state: "success" },
  build: { status: "errored", error: { message: "No index." }, pusher: { login: "hamlet" } },
  pages: [{ action: "created", title: "Home", html_url: "https://git.example/w" }],
  alert: {
    number: 2,
    html_url: "https://git.example/a",
    security_advisory: { summary: "It burns", severity: "high" },
    dependency: { package: { name: "logs" } },
  },
  sponsorship: { tier: { name: "Silver" }, privacy_level: "private", sponsorable: { login: "octo" } },
  effective_date: "2025-02-01",
};

export const gitlab = {
  object_kind: "merge_request",
  user: { name: "Iago" },
  user_name: "Iago",
  project: { name: "hearth", web_url: "https://lab.example/octo/hearth" },
  repository: { name: "hearth", homepage: "https://lab.example/octo/hearth" },
  ref: "refs/heads/main",
  before: "a".repeat(40),
  after: "b".repeat(40),
  checkout_sha: "b".repeat(40),
  total_commits_count: 1,
  commits: [{ id: HASH, url: "https://lab.example/c", message: "One\n\nTwo", author: { name: "Hamlet" } }],
  object_attributes: {
    id: 70,
    iid: 7,
    title: "Warm",
    url: "https://lab.example/7",
    description: "Body",
    action: "open",
    source_branch: "warm",
    target_branch: "main",
    note: "Why?",
    noteable_type: "MergeRequest",
    status: "success",
    ref: "main",
  },
  assignees: [{ name: "Hamlet" }],
  merge_request: { iid: 7, title: "Warm", url: "https://lab.example/7" },
  issue: { iid: 3, title: "Smoke", url: "https://lab.example/3" },
  snippet: { id: 9, title: "Ash" },
  commit: { id: HASH, url: "https://lab.example/c" },
  build_name: "test",
  build_stage: "check",
  build_status: "failed",
  build_id: 5,
  builds: [
    { id: 5, name: "test", status: "success", artifacts_file: { filename: "a.zip" } },
    { id: 6, name: "lint", status: "failed", artifacts_file: { filename: null } },
  ],
  action: "create",
  name: "One",
  tag: "v1",
  url: "https://lab.example/v1",
  description: "It is warm.",
};

export const gitea = {
  action: "opened",
  ref: "refs/heads/main",
  ref_type: "branch",
  compare_url: "https://tea.example/compare",
  total_commits: 1,
  commits: [{ id: HASH, url: "https://tea.example/c", message: "One", author: { name: "Hamlet Dane", username: "" } }],
  repository: { name: "hearth", html_url: "https://tea.example/octo/hearth" },
  sender: { username: "iago", login: "iago" },
  pull_request: {
    id: 700,
    number: 7,
    title: "Warm",
    body: "Body",
    html_url: "https://tea.example/7",
    merged: false,
    merged_by: null,
    user: { username: "iago" },
    assignee: { login: "hamlet" },
    head: { ref: "warm" },
    base: { ref: "main" },
  },
  issue: { number: 3, title: "Smoke", body: "Body", assignee: null },
  comment: { html_url: "https://tea.example/c", body: "Why?" },
  release: { tag_name: "v1", name: "One", author: { username: "iago" } },
};

const cloud = {
  actor: { display_name: "Iago", links: { html: { href: "https://bb.example/iago" } } },
  repository: { name: "hearth", links: { html: { href: "https://bb.example/hearth" } } },
};
const href = (url: string) => ({ html: { href: url } });
export const bitbucketCloud = {
  push: {
    ...cloud,
    push: {
      changes: [
        {
          new: { type: "branch", name: "main", target: { hash: HASH, links: href("https://bb.example/h") } },
          old: { type: "branch", name: "main" },
          forced: false,
          truncated: false,
          links: href("https://bb.example/compare"),
          commits: [
            {
              hash: HASH,
              message: "One\n",
              links: href("https://bb.example/c"),
              author: { raw: "Hamlet <h@d.example>", user: { display_name: "Hamlet" } },
            },
          ],
        },
        { new: null, old: { type: "branch", name: "old" } },
        { new: { type: "tag", name: "v1", links: href("https://bb.example/v1") }, old: null },
      ],
    },
  },
  pullRequest: {
    ...cloud,
    pullrequest: {
      id: 7,
      title: "Warm",
      description: "Body",
      links: href("https://bb.example/7"),
      source: { branch: { name: "warm" } },
      destination: { branch: { name: "main" } },
      reviewers: [{ display_name: "Hamlet" }],
    },
    comment: { content: { raw: "Why?" }, links: href("https://bb.example/cc") },
  },
  issue: {
    ...cloud,
    issue: {
      id: 3,
      title: "Smoke",
      links: href("https://bb.example/3"),
      content: { raw: "It smokes." },
      assignee: { display_name: "Hamlet" },
    },
  },
  comment: {
    ...cloud,
    commit: { hash: HASH },
    comment: {
      content: { raw: "Why?" },
      links: href("https://bb.example/cc"),
      commit: { hash: HASH, links: href("https://bb.example/c") },
    },
  },
  status: {
    ...cloud,
    commit_status: {
      key: "CI-1",
      name: "CI",
      state: "FAILED",
      url: "https://ci.example/1",
      links: { commit: { href: `https://bb.example/${HASH}` } },
    },
  },
  fork: { ...cloud, fork: { full_name: "iago/chimney", links: href("https://bb.example/f") } },
  updated: { ...cloud, changes: { name: { old: "fire", new: "hearth" }, website: { old: "", new: "" } } },
};

const self = (url: string) => ({ self: [{ href: url }] });
export const bitbucketServer = {
  actor: { name: "iago", displayName: "Iago", links: self("https://bs.example/iago") },
  repository: {
    name: "hearth",
    links: self("https://bs.example/p/repos/hearth/browse"),
    origin: { name: "fire" },
  },
  changes: [
    { type: "UPDATE", ref: { type: "BRANCH", displayId: "main" }, toHash: HASH },
    { type: "ADD", ref: { type: "BRANCH", displayId: "new" }, toHash: HASH },
    { type: "DELETE", ref: { type: "TAG", displayId: "v1" } },
  ],
  commit: HASH,
  comment: { text: "Why?" },
  old: { name: "fire" },
  new: { name: "hearth" },
  pullRequest: {
    id: 7,
    title: "Warm",
    description: "Body",
    links: self("https://bs.example/7"),
    fromRef: { displayId: "warm" },
    toRef: { displayId: "main", repository: { name: "hearth" } },
    reviewers: [{ user: { name: "hamlet", displayName: "Hamlet", links: self("https://bs.example/hamlet") } }],
  },
  addedReviewers: [{ name: "hamlet", displayName: "Hamlet" }],
};

export const grafana = {
  status: "firing",
  truncatedAlerts: 2,
  alerts: [
    {
      status: "firing",
      labels: { alertname: "Too hot", zone: "living room" },
      annotations: { summary: "Take a log out." },
      startsAt: "2025-01-01T00:00:00Z",
      endsAt: "0001-01-01T00:00:00Z",
      values: { A: 451 },
      valueString: "[ var='A' value=451 ]",
      generatorURL: "https://graf.example/g",
      silenceURL: "https://graf.example/s",
      dashboardURL: "https://graf.example/d",
      panelURL: "",
      imageURL: "",
      fingerprint: "c0ffee",
    },
  ],
};
export const oldGrafana = {
  title: "[Alerting] Too hot",
  state: "alerting",
  ruleName: "Too hot",
  ruleUrl: "https://graf.example/r",
  message: "Take a log out.",
  imageUrl: "https://graf.example/i.png",
  evalMatches: [
    { metric: "Heat", value: 451 },
    { metric: "Ash", value: null },
  ],
};

const alert = (alertname: string, status: string, instance: string) => ({
  status,
  labels: { alertname, instance, severity: "page" },
  annotations: { summary: "Look at it." },
  startsAt: "2025-01-01T00:00:00Z",
  generatorURL: "http://prom.example/graph?g0.expr=up&g0.tab=1",
});
export const alertmanager = {
  version: "4",
  receiver: "chat",
  truncatedAlerts: 0,
  alerts: [alert("Up", "resolved", "b:1"), alert("Hot", "firing", "a:1"), alert("Ash", "firing", "a:1")],
};

export const kuma = {
  heartbeat: {
    monitorID: 1,
    status: 0,
    time: "2025-01-01 00:00:00.123",
    msg: "timeout of 48000ms exceeded",
    ping: 12,
    duration: 60,
  },
  monitor: { id: 1, name: "Chimney", type: "http", url: "https://chimney.example", hostname: null, port: null },
  msg: "[Chimney] [🔴 Down] timeout of 48000ms exceeded",
};
export const uptimeRobot = {
  monitor_url: "https://chimney.example",
  monitor_friendly_name: "Chimney",
  alert_type: "1",
  alert_type_friendly_name: "Down",
  alert_details: "Connection Timeout",
  alert_friendly_duration: "*alertFriendlyDuration*",
};
export const healthchecks = {
  name: "Backup",
  status: "down",
  now: "2025-01-01T00:00:00+00:00",
  tags: "db prod",
  check: {
    name: "Backup",
    desc: "Of the ash.",
    grace: 3600,
    timeout: 86_400,
    last_ping: "2024-12-30T00:00:00+00:00",
    status: "down",
  },
};

const frame = {
  filename: "hearth/fire.py",
  context_line: "    light(None)",
  pre_context: ["def start():"],
  post_context: ["    return"],
};
export const sentryEvent = {
  action: "triggered",
  data: {
    event: {
      event_id: "e1",
      title: "TypeError: no match",
      web_url: "https://sentry.example/e1",
      level: "error",
      datetime: "2025-01-01T00:00:00Z",
      platform: "python",
      version: "7",
      metadata: { filename: "hearth/fire.py" },
      exception: { values: [{ type: "TypeError", stacktrace: { frames: [{ ...frame, filename: "x.py" }, frame] } }] },
    },
  },
};
export const sentryIssue = {
  action: "created",
  actor: { name: "Iago", type: "user" },
  data: {
    issue: {
      title: "TypeError: no match",
      shortId: "HEARTH-1",
      permalink: "https://sentry.example/i1",
      level: "error",
      lastSeen: "2025-01-01T00:00:00Z",
      assignedTo: { name: "Stokers", type: "team" },
    },
  },
};
export const sentryMetric = {
  action: "critical",
  data: {
    description_title: "Critical: too many errors",
    description_text: "1000 events in the last 10 minutes",
    web_url: "https://sentry.example/m1",
    metric_alert: { alert_rule: { name: "Errors" } },
  },
};
export const oldSentry = { project_name: "hearth", level: "warning", url: "https://sentry.example/o", message: "Ash" };

export const jira = {
  webhookEvent: "jira:issue_updated",
  user: { displayName: "Iago" },
  issue: {
    key: "FIRE-1",
    self: "https://jira.example/rest/api/2/issue/10001",
    fields: {
      summary: "No wood",
      priority: { name: "High" },
      assignee: { displayName: "Hamlet", emailAddress: "hamlet@jira.example" },
      issuetype: { name: "Bug" },
    },
  },
  changelog: {
    items: [
      { field: "status", fromString: "Open", toString: "Done" },
      { field: "assignee", fromString: null, toString: "Hamlet" },
    ],
  },
};
export const jiraComment = {
  webhookEvent: "comment_created",
  comment: {
    self: "https://jira.example/rest/api/2/issue/10001/comment/5",
    body: "See [the log|https://log.example] and *carry* {{wood}}, [~hamlet].\nbq. Cold\\!",
    author: { displayName: "Othello" },
  },
  issue: jira.issue,
};

export const trello = {
  action: {
    type: "updateCard",
    memberCreator: { fullName: "Iago" },
    member: { fullName: "Hamlet" },
    data: {
      board: { name: "Fire", shortLink: "bbb" },
      card: { name: "Fetch wood", shortLink: "ccc", desc: "Oak", due: "2025-01-01T00:00:00.000Z" },
      listBefore: { name: "To do" },
      listAfter: { name: "Done" },
    },
  },
};

export const stripe = (type: string, object: object, previous?: object) => ({
  type,
  data: { object, ...(previous && { previous_attributes: previous }) },
});
const stripeObject = {
  id: "ch_1",
  object: "charge",
  amount: 1999,
  amount_due: 500,
  amount_paid: 500,
  amount_remaining: 0,
  currency: "eur",
  customer: "cus_1",
  status: "won",
  email: "a@b.example",
  metadata: { shoe: "44" },
  plan: { id: "plan_1", nickname: "Gold" },
  quantity: 2,
  trial_end: 1_736_000_000,
  coupon: { id: "C", name: "Half" },
  charge: "ch_1",
  paid: true,
  billing_reason: "manual",
  total: 500,
  purpose: "dispute_evidence",
  title: "Ash",
};

export const slack = {
  channel: "#fire",
  text: "*Hello* <https://x.example|world>",
  icon_emoji: ":fire:",
  blocks: [
    { type: "header", text: { type: "plain_text", text: "Head" } },
    {
      type: "section",
      text: { type: "mrkdwn", text: "A _section_" },
      fields: [
        { type: "mrkdwn", text: "*a*" },
        { type: "mrkdwn", text: "b|c" },
        { type: "plain_text", text: "*d*" },
      ],
      accessory: { type: "image", image_url: "https://x.example/i.png", alt_text: "Pic" },
    },
    { type: "divider" },
    { type: "image", image_url: "https://x.example/j.png", title: { type: "plain_text", text: "Photo" } },
    {
      type: "context",
      elements: [
        { type: "mrkdwn", text: "~old~" },
        { type: "image", image_url: "https://x.example/k.png" },
      ],
    },
    { type: "actions", elements: [{ type: "button", text: { type: "plain_text", text: "Press" } }] },
    {
      type: "rich_text",
      elements: [
        {
          type: "rich_text_section",
          elements: [
            { type: "text", text: "bold ", style: { bold: true } },
            { type: "link", url: "https://x.example", text: "link" },
            { type: "emoji", name: "fire" },
            { type: "user", user_id: "U1" },
            { type: "broadcast", range: "channel" },
          ],
        },
        {
          type: "rich_text_list",
          elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "one" }] }],
        },
        { type: "rich_text_preformatted", elements: [{ type: "text", text: "code" }] },
        { type: "rich_text_quote", elements: [{ type: "text", text: "said" }] },
      ],
    },
    { type: "table", rows: [] },
    { type: "unheard_of", text: { type: "mrkdwn", text: "of *it*" } },
  ],
  attachments: [
    {
      fallback: "Fallback",
      pretext: "Before",
      author_name: "Iago",
      title: "Title",
      title_link: "https://x.example/t",
      text: "Text",
      fields: [
        { title: "Heat", value: "451" },
        { title: null, value: "alone" },
      ],
      image_url: "https://x.example/l.png",
      footer: "Foot",
      ts: 1_735_689_600,
    },
  ],
};

const header = (name: string) => (value: string) => ({ headers: { [name]: value } });
const each = (name: string, bodies: object[], sent: Sent[] = [{}]) =>
  bodies.flatMap((body) => sent.map((one) => ({ name, body, sent: one })));
const GITHUB_HEADERS =
  "push create delete release fork star watch repository public team_add member membership team gollum ping pull_request pull_request_review pull_request_review_comment issues issue_comment commit_comment discussion discussion_comment check_run workflow_run status deployment deployment_status page_build dependabot_alert code_scanning_alert sponsorship cancelled edited";
const GITHUB_ACTIONS =
  "opened edited closed assigned review_requested labeled milestoned transferred locked submitted completed created pending_tier_change";
const GITLAB_HOOKS =
  "Push Hook,Tag Push Hook,Issue Hook,Merge Request Hook,Note Hook,Wiki Page Hook,Job Hook,Pipeline Hook,Release Hook,Test Hook,System Hook";
const SERVER_KEYS =
  "diagnostics:ping repo:refs_changed repo:comment:added repo:forked repo:modified pr:opened pr:merged pr:reviewer:approved pr:reviewer:updated pr:comment:added";
const STRIPE_TYPES =
  "charge.failed charge.dispute.created charge.refund.updated customer.created customer.updated customer.source.created customer.discount.created customer.subscription.created customer.subscription.trial_will_end invoice.created invoice.updated invoice.payment_failed invoiceitem.created account.updated file.created checkout.session.completed plan.created";
const TRELLO_TYPES =
  "createCard addLabelToCard addMemberToCard addAttachmentToCard addChecklistToCard commentCard updateCheckItemStateOnCard updateCard updateBoard addMemberToBoard createList copyCard";

/** Every supported kind of request. */
export const requests: { name: string; body: object; sent: Sent }[] = [
  ...each(
    "github",
    GITHUB_ACTIONS.split(" ").map((action) => ({ ...github, action })),
    GITHUB_HEADERS.split(" ").map(header("X-GitHub-Event")),
  ),
  ...each("gitlab", [gitlab], GITLAB_HOOKS.split(",").map(header("X-Gitlab-Event"))),
  ...each(
    "gitea",
    [gitea],
    "push create pull_request issues issue_comment release".split(" ").map(header("X-Gitea-Event")),
  ),
  ...each("bitbucket2", Object.values(bitbucketCloud), [
    header("X-Event-Key")("pullrequest:created"),
    header("X-Event-Key")("repo:updated"),
  ]),
  ...each(
    "bitbucket3",
    SERVER_KEYS.split(" ").map((eventKey) => ({ ...bitbucketServer, eventKey })),
  ),
  ...each("grafana", [grafana, oldGrafana]),
  ...each("alertmanager", [alertmanager]),
  ...each("uptimekuma", [kuma]),
  ...each("uptimerobot", [uptimeRobot]),
  ...each("healthchecksio", [healthchecks]),
  ...each("sentry", [
    sentryEvent,
    sentryIssue,
    sentryMetric,
    oldSentry,
    { url: "https://s.example", ...sentryEvent.data },
  ]),
  ...each("jira", [jira, jiraComment, { ...jira, webhookEvent: "jira:issue_created" }]),
  ...each(
    "trello",
    TRELLO_TYPES.split(" ").map((type) => ({ action: { ...trello.action, type } })),
  ),
  ...each("homeassistant", [{ message: "Warm", topic: "Home" }]),
  ...each(
    "stripe",
    STRIPE_TYPES.split(" ").map((type) => stripe(type, stripeObject, { email: "c@d.example", paid: false })),
  ),
  ...each("helloworld", [{ featured_title: "Chat", featured_url: "https://en.example/Chat" }]),
  ...each(
    "json",
    [kuma],
    [{}, { query: { template: "**{{msg}}** {{monitor.tags.0}} {{heartbeat}}", topic_template: "{{msg}}" } }],
  ),
  ...each("slack_incoming", [slack, { text: slack.text, channel: slack.channel }]),
];
