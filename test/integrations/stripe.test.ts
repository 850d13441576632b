import assert from "node:assert/strict";
import test from "node:test";
import { stripe } from "./payloads.ts";
import { fate, messageOf, NOW } from "./requests.ts";

const at = (page: string) => `https://dashboard.stripe.com/${page}`;
const of = (type: string, object: object, previous?: object) => messageOf("stripe", stripe(type, object, previous));

test("charges, refunds and disputes show their amounts", () => {
  const charge = { id: "ch_1", amount: 1999, currency: "usd", customer: "cus_1", failure_code: "card_declined" };
  assert.deepEqual(of("charge.failed", charge), {
    event: "charge.failed",
    topic: "cus_1",
    content: `[Charge](${at("charges/ch_1")}) of $19.99 failed (card declined).`,
  });
  const yen = of("charge.succeeded", { id: "ch_1", amount: 500, currency: "jpy", customer: null });
  assert.deepEqual([yen.topic, yen.content], ["charges", `[Charge](${at("charges/ch_1")}) of 500 JPY succeeded.`]);
  const dispute = of("charge.dispute.closed", { id: "dp_1", status: "won" });
  assert.deepEqual(
    [dispute.topic, dispute.content],
    ["disputes", `[Dispute](${at("disputes/dp_1")}) closed. Its status is won.`],
  );
  const refund = of("charge.refund.updated", { id: "re_1", amount: 100, currency: "eur", charge: "ch_1" });
  assert.equal(
    refund.content,
    `[Refund](${at("refunds/re_1")}) of 1.00 EUR of a [charge](${at("charges/ch_1")}) updated.`,
  );
});

test("customers are named by ID with their changes", () => {
  const customer = { id: "cus_1", email: "a@b.example", metadata: { shoe: "44" }, delinquent: true };
  assert.deepEqual(of("customer.created", customer), {
    event: "customer.created",
    topic: "cus_1",
    content: `[Customer](${at("customers/cus_1")}) created.\n\n- Email: a@b.example\n- shoe: 44`,
  });
  const changed = of("customer.updated", customer, { email: "old@b.example", delinquent: false });
  assert.equal(changed.content, `[Customer](${at("customers/cus_1")}) updated:\n\n- email: a@b.example`);
  assert.equal(fate("stripe", stripe("customer.updated", customer, { delinquent: false })), "ignored");
});

test("subscriptions show their plan and the end of a trial", () => {
  const subscription = { id: "sub_1", customer: "cus_1", plan: { id: "plan_1", nickname: "Gold" }, quantity: 2 };
  const name = `[Subscription](${at("subscriptions/sub_1")})`;
  const created = of("customer.subscription.created", subscription);
  assert.equal(created.content, `${name} created.\n\n- Plan: [Gold](${at("plans/plan_1")})\n- Quantity: 2`);
  const ending = of("customer.subscription.trial_will_end", { ...subscription, trial_end: NOW + 3 * 86_400 });
  assert.equal(ending.content, `The trial of ${name} ends in 3 days.`);
  const bare = of("customer.subscription.created", { id: "sub_1" });
  assert.deepEqual([bare.topic, bare.content], ["", `${name} created.`], "as newer versions send it");
  const updated = of("customer.subscription.updated", { ...subscription, trial_end: NOW }, { trial_end: null });
  assert.match(updated.content, /- trial end: <time:2025-01-01T00:00:00Z>$/);
});

test("reports created, paid and failed invoices", () => {
  const invoice = {
    id: "in_1",
    customer: "cus_1",
    currency: "eur",
    amount_due: 500,
    total: 500,
    billing_reason: "manual",
  };
  const name = `[Invoice](${at("invoices/in_1")})`;
  assert.equal(
    of("invoice.created", invoice).content,
    `${name} created.\n\n- Reason: manual\n- Total: 5.00 EUR\n- Due: 5.00 EUR`,
  );
  const paid = { ...invoice, paid: true, amount_paid: 500, amount_remaining: 0 };
  assert.equal(of("invoice.updated", paid, { paid: false, lines: {} }).content, `${name} paid: 5.00 EUR.`);
  assert.equal(fate("stripe", stripe("invoice.updated", invoice, { lines: {} })), "ignored");
  assert.equal(of("invoice.payment_failed", invoice).content, `${name} payment failed (5.00 EUR).`);
});

test("reports checkouts, discounts, files and accounts", () => {
  const checkout = { id: "cs_1", amount_total: 999, currency: "usd", customer_details: { email: "a@b.example" } };
  assert.match(of("checkout.session.completed", checkout).content, /completed: \$9\.99 by a@b\.example\.$/);
  const discount = { coupon: { name: "Half" }, customer: "cus_1" };
  const CUSTOMER = `[customer](${at("customers/cus_1")})`;
  assert.equal(of("customer.discount.created", discount).content, `Discount created: Half, for a ${CUSTOMER}.`);
  assert.equal(of("file.created", { id: "file_1", purpose: "dispute_evidence", title: "Ash" }).topic, "files");
  assert.equal(of("account.updated", { id: "acct_1", email: "x" }, { email: "y" }).topic, "account updates");
  assert.equal(fate("stripe", stripe("account.updated", {})), "ignored");
});

test("does not link unknown IDs; ignores or names other events", () => {
  assert.equal(of("charge.succeeded", { id: "zz_1" }).content, "Charge succeeded.");
  assert.equal(of("charge.succeeded", { id: "constructor_1" }).content, "Charge succeeded.");
  for (const type of ["payout.paid", "issuing_card.created", "payment_intent.created"]) {
    assert.equal(fate("stripe", stripe(type, {})), "ignored");
  }
  assert.equal(fate("stripe", stripe("climate.order.created", {})), "unsupported climate.order.created");
});
