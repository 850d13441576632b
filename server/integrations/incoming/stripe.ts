import type { Call, Integration, Reading } from "./integration.ts";
import { counted, details, link, paragraphs, plain, time, words } from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { stripeSignature } from "./signatures.ts";

const PAGES: Record<string, string> = {
  ch: "charges",
  cus: "customers",
  dp: "disputes",
  du: "disputes",
  file: "files",
  in: "invoices",
  ii: "invoiceitems",
  link: "file_links",
  pi: "payments",
  po: "payouts",
  prod: "products",
  py: "payments",
  pyr: "refunds",
  re: "refunds",
  sub: "subscriptions",
  tok: "tokens",
  plan: "plans",
  cs: "checkout/sessions",
};

/** A link to the page of an object, or only the name if its kind has no page. */
export function dashboardLink(name: string, id: string | undefined): string {
  const page = id?.match(/^([a-z]+)_\w+$/)?.[1];
  const path = lookUp(PAGES, page ?? "");
  return path === undefined ? plain(name) : link(name, `https://dashboard.stripe.com/${path}/${id}`);
}

const WITHOUT_CENTS = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");

/** An amount in the smallest unit of its currency. */
export function money(amount: number | undefined, currency: string | undefined): string | undefined {
  if (amount === undefined || !Number.isFinite(amount)) return undefined;
  const code = (currency ?? "").toLowerCase();
  const number = WITHOUT_CENTS.includes(code) ? String(amount) : (amount / 100).toFixed(2);
  return code === "usd" ? `$${number}`.replace("$-", "-$") : plain(`${number} ${code.toUpperCase()}`);
}

interface StripeEvent {
  /** "customer.subscription.created": the resource, then the action. */
  readonly type: string;
  readonly did: string;
  readonly object: Payload;
  readonly previous: Payload | undefined;
  readonly now: number;
}

interface Sentence {
  readonly topic?: string | undefined;
  readonly content: string;
}

const amount = (object: Payload, key = "amount"): string | undefined =>
  money(object.maybeNumber(key), object.maybeText("currency"));
const thing = (object: Payload, name: string): string => dashboardLink(name, object.maybeText("id"));

function charge({ did, object }: StripeEvent): Sentence {
  const failure = object.maybeText("failure_code");
  const reason = failure === undefined ? "" : ` (${words(failure)})`;
  const of = amount(object);
  return {
    topic: object.maybeText("customer") ?? "charges",
    content: `${thing(object, "Charge")}${of ? ` of ${of}` : ""} ${words(did)}${reason}.`,
  };
}

const dispute = ({ did, object }: StripeEvent): Sentence => ({
  topic: "disputes",
  content: `${thing(object, "Dispute")} ${words(did)}. Its status is ${words(object.maybeText("status") ?? "unknown")}.`,
});

function refund({ did, object }: StripeEvent): Sentence {
  const of = amount(object);
  const charged = dashboardLink("charge", object.maybeText("charge"));
  const content = `${thing(object, "Refund")}${of ? ` of ${of}` : ""} of a ${charged} ${words(did)}.`;
  return { topic: "refunds", content };
}

function customer(event: StripeEvent): Sentence | undefined {
  const { did, object, previous } = event;
  const topic = object.maybeText("id");
  const name = thing(object, "Customer");
  if (did !== "created") return withChanges(event, { topic, content: `${name} ${words(did)}` }, previous);
  const metadata = object.entries("metadata").slice(0, 20);
  const rows = metadata.map(([key, value]): [string, string] => [plain(key), plain(value)]);
  const email = object.maybeText("email");
  return { topic, content: paragraphs(`${name} created.`, details([["Email", email && plain(email)], ...rows])) };
}

const customerSource = ({ type, object }: StripeEvent): Sentence => ({
  content: `${words(object.maybeText("object") ?? "Payment source")} of the ${dashboardLink("customer", object.maybeText("customer"))}: ${words(type.replaceAll(".", " "))}.`,
});

function discount({ did, object }: StripeEvent): Sentence {
  const name = plain(object.maybeText("coupon.name", "coupon.id") ?? "unnamed");
  return {
    content: `Discount ${words(did)}: ${name}, for a ${dashboardLink("customer", object.maybeText("customer"))}.`,
  };
}

const DAY = 86_400;

function subscription(event: StripeEvent): Sentence | undefined {
  const { did, object, previous, now } = event;
  const name = thing(object, "Subscription");
  if (did === "trial_will_end") {
    const end = object.maybeNumber("trial_end");
    const days = end === undefined ? undefined : Math.max(0, Math.round((end - now) / DAY));
    return { content: `The trial of ${name} ends ${days === undefined ? "soon" : `in ${counted(days, "day")}`}.` };
  }
  if (did !== "created") return withChanges(event, { content: `${name} ${words(did)}` }, previous);
  const plan = object.maybeText("plan.nickname", "plan.id");
  const rows: [string, string | undefined][] = [
    ["Plan", plan && dashboardLink(plan, object.maybeText("plan.id"))],
    ["Quantity", object.maybeText("quantity")],
    ["Billing", words(object.maybeText("billing", "collection_method") ?? "")],
  ];
  return { content: paragraphs(`${name} created.`, details(rows)) };
}

function invoice(event: StripeEvent): Sentence | undefined {
  const { did, object, previous } = event;
  const name = object.maybeText("hosted_invoice_url")
    ? link("Invoice", object.maybeText("hosted_invoice_url"))
    : thing(object, "Invoice");
  if (did === "created") {
    const rows: [string, string | undefined][] = [
      ["Reason", words(object.maybeText("billing_reason") ?? "")],
      ["Total", amount(object, "total")],
      ["Due", amount(object, "amount_due")],
    ];
    return { content: paragraphs(`${name} created.`, details(rows)) };
  }
  const wasPaid = previous?.isFalse("paid") && object.isTrue("paid") && object.maybeNumber("amount_remaining") === 0;
  if (did === "updated" && wasPaid && object.maybeNumber("amount_paid") !== 0) {
    return { content: `${name} paid: ${amount(object, "amount_paid") ?? "all of it"}.` };
  }
  if (did === "updated") return withChanges(event, { content: `${name} updated` }, previous);
  const due = amount(object, "amount_due");
  return { content: `${name} ${words(did)}${due ? ` (${due})` : ""}.` };
}

function invoiceItem(event: StripeEvent): Sentence | undefined {
  const { did, object, previous } = event;
  const of = amount(object);
  const content = `${thing(object, "Invoice item")}${of ? ` of ${of}` : ""} ${words(did)}`;
  return did === "updated" ? withChanges(event, { content }, previous) : { content: `${content}.` };
}

function account(event: StripeEvent): Sentence | undefined {
  if (event.did !== "updated" || !event.previous) return undefined;
  return withChanges(
    event,
    { topic: "account updates", content: `${thing(event.object, "Account")} updated` },
    event.previous,
  );
}

const file = ({ did, object }: StripeEvent): Sentence => ({
  topic: "files",
  content: `${thing(object, "File")} ${words(did)} (${words(object.maybeText("purpose") ?? "of no known purpose")}). Title: ${plain(object.maybeText("title", "filename") ?? "none")}`,
});

function checkout({ did, object }: StripeEvent): Sentence {
  const of = amount(object, "amount_total");
  const email = object.maybeText("customer_details.email", "customer_email");
  const by = email === undefined ? "" : ` by ${plain(email)}`;
  return { content: `${thing(object, "Checkout")} ${words(did)}${of ? `: ${of}` : ""}${by}.` };
}

/** Fields that change often and are not interesting. */
const UNREPORTED: Record<string, readonly string[]> = {
  customer: ["delinquent", "currency", "default_source"],
  invoice: ["lines", "description", "number", "finalized_at", "status_transitions", "payment_intent"],
  invoiceitem: ["description", "invoice"],
};

/** Adds the new values of an update. Undefined if no changed field is reported. */
function withChanges(
  { type, did, object }: StripeEvent,
  base: Sentence,
  previous: Payload | undefined,
): Sentence | undefined {
  if (did !== "updated" || !previous) return { ...base, content: `${base.content}.` };
  const unreported = lookUp(UNREPORTED, type.slice(0, -".updated".length)) ?? [];
  const keys = previous.keys().filter((key) => !unreported.includes(key));
  const rows = keys.slice(0, 30).map((key): [string, string] => [words(key), newValue(object, key)]);
  return rows.length === 0 ? undefined : { ...base, content: paragraphs(`${base.content}:`, details(rows)) };
}

/** Numbers of this size are UNIX seconds. */
function newValue(object: Payload, key: string): string {
  const value = object.raw(key);
  if (typeof value === "number" && value > 1e9 && value < 1e10) return time(value) ?? String(value);
  if (typeof value === "object" && value !== null) return "changed";
  return value === undefined || value === null ? "none" : plain(String(value));
}

/** By the prefix of the type. Longer prefixes come first. */
const REPORTERS: readonly (readonly [string, (event: StripeEvent) => Sentence | undefined])[] = [
  ["charge.dispute.", dispute],
  ["charge.refund.", refund],
  ["charge.", charge],
  ["customer.subscription.", subscription],
  ["customer.source.", customerSource],
  ["customer.discount.", discount],
  ["customer.", customer],
  ["checkout.session.", checkout],
  ["invoiceitem.", invoiceItem],
  ["invoice.", invoice],
  ["account.", account],
  ["file.", file],
];

const SILENT =
  /^(?:account|application_fee|balance|checkout_beta|coupon|issuing\w*|order\w*|payment_intent|payout|plan|product|recipient|reporting|review|sigma|sku|source|subscription_schedule|topup|transfer)\./;

function read(call: Call): Reading {
  const { payload, request } = call;
  const type = payload.text("type");
  const object = payload.at("data.object");
  const reporter = REPORTERS.find(([prefix]) => type.startsWith(prefix))?.[1];
  const sentence = reporter?.({
    type,
    did: type.slice(type.lastIndexOf(".") + 1),
    object,
    previous: payload.maybe("data.previous_attributes"),
    now: request.receivedAt,
  });
  if (sentence)
    return { event: type, topic: sentence.topic ?? object.maybeText("customer") ?? "", content: sentence.content };
  if (reporter || SILENT.test(type)) return { ignored: `There is nothing to report of this ${type}.` };
  return { unsupported: type };
}

const named = (resource: string, ...actions: string[]): string[] => actions.map((action) => `${resource}.${action}`);

export const stripe: Integration = {
  name: "stripe",
  displayName: "Stripe",
  color: "#635bff",
  client: "Stripe",
  events: [
    ...named("charge", "succeeded", "failed", "dispute.created", "dispute.closed", "refund.updated"),
    "checkout.session.completed",
    ...named("customer", "created", "updated", "deleted", "discount.created"),
    ...named("customer.subscription", "created", "updated", "deleted", "trial_will_end"),
    ...named("invoice", "created", "updated", "payment_failed"),
    "invoiceitem.created",
  ],
  options: [],
  setUp: `In the dashboard, open **Developers → Webhooks → Add destination**.

1. Choose the events: charges, customers, subscriptions, invoices, disputes and checkouts are known.
2. *Endpoint URL*: \`{address}\`.
3. Stripe then shows a *signing secret* (\`whsec_…\`). Give it to the bot as its secret: deliveries without the right
   signature, or older than five minutes, are then refused.`,
  verify: stripeSignature,
  read,
};
