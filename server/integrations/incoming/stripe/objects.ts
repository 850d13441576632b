import { link, plain } from "../markdown.ts";
import { lookUp } from "../payload.ts";

/* Stripe's things: where the dashboard shows them, and how money is written. */

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

/** A name that leads to the thing's page; the name alone where its kind has none. */
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
