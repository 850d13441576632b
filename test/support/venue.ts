import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { type Login, type Visit, type VisitOptions, visit } from "./browser.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, type Serving, serve, serveHere } from "./server-process.ts";
import { personWith } from "./signing-in.ts";
import { likeText } from "./ui-texts.ts";

// A running server with three people and a channel, and actions on the chat page.

export const OWNER = OWNER_LOGIN;
export const CLEO = { email: "cleo@example.com", full_name: "Cleo Patra", password: "by the nile" };
export const GUEST = { email: "gast@example.com", full_name: "Gast", password: "only for a while" };

export interface Venue {
  folder: string;
  url: string;
  owner: Person;
  cleo: Person;
  channelId: number;
  /** Sends to the channel "harbour". */
  say(who: Person, content: string, topic?: string): Promise<number>;
}

/** A venue whose server can be killed. */
export interface KillableVenue extends Venue {
  server: Serving;
}

/** An organization with an owner, a member and a guest, all in the channel "harbour". */
export const startVenue = (t: TestContext): Promise<Venue> => venueOf(t, serveHere);

/** The same with a separate server process. */
export async function startKillableVenue(t: TestContext): Promise<KillableVenue> {
  let server: Serving | undefined;
  const venue = await venueOf(t, async (_t, folder) => (server = await serve(t, folder)));
  return { ...venue, server: server as Serving };
}

async function venueOf(t: TestContext, start: typeof serveHere): Promise<Venue> {
  const { path, people } = await dataFolder(t);
  const { url } = await start(t, path);
  const owner = people[0] as Person;
  assert.equal((await call(url, owner, "POST /users", CLEO)).status, 200);
  const { user_id: guest } = await call(url, owner, "POST /users", GUEST);
  assert.equal((await call(url, owner, `PATCH /users/${guest}`, { role: 600 })).status, 200);
  const cleo = await personWith(url, CLEO.email, CLEO.password);
  const { members } = await call(url, owner, "GET /users");
  const ids = members.filter((one: { is_bot: boolean }) => !one.is_bot).map((one: { user_id: number }) => one.user_id);
  const subscriptions = JSON.stringify([{ name: "harbour", description: "Boats and weather" }]);
  await call(url, owner, "POST /users/me/subscriptions", { subscriptions, principals: JSON.stringify(ids) });
  const { stream_id: channelId } = await call(url, owner, "GET /get_stream_id", { stream: "harbour" });
  const say = async (who: Person, content: string, topic = "regatta") => {
    const answer = await call(url, who, "POST /messages", { type: "channel", to: channelId, topic, content });
    assert.equal(answer.status, 200, answer["msg"]);
    return answer["id"];
  };
  return { folder: path, url, owner, cleo, channelId, say };
}

/** Signs in through the page's form. */
export async function signIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel(en.signIn.email).fill(email);
  await page.getByLabel(en.password.label, { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await hasEntered(page);
}

/** On a phone, the open conversation hides the others. */
const hasEntered = (page: Page) =>
  page.getByRole("navigation", { name: en.chat.conversations, includeHidden: true }).waitFor({ state: "attached" });

/** The chat page of a signed-in user. */
export async function enter(
  t: TestContext,
  { url }: Venue,
  who: Login,
  hash = "",
  options?: VisitOptions,
): Promise<Visit> {
  const visited = await visit(t, `${url}/${hash}`, { as: who, ...options });
  await hasEntered(visited.page);
  return visited;
}

/** Not the field of an edited message, whose label matches too. */
export const composer = (page: Page) =>
  page.getByRole("textbox", { name: likeText(en.chat.compose.placeholder) }).and(page.locator("#composer"));
export const messageWith = (page: Page, text: string | RegExp) => page.getByRole("article").filter({ hasText: text });
export const inTopic = ({ channelId }: Venue, topic = "regatta") =>
  `#narrow/channel/${channelId}-harbour/topic/${topic}`;

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole("button", { name: en.chat.compose.send, exact: true }).click();
}
