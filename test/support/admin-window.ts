import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type VisitOptions, visit } from "./browser.ts";
import { until } from "./patience.ts";
import { type Answer, call, dataFolder, OWNER_LOGIN, type Person, serveHere } from "./server-process.ts";

type Call = (route: string, params?: Record<string, unknown>) => Promise<Answer>;

export async function adminWindow(t: TestContext, hash: string, options: VisitOptions = {}) {
  const { path, people } = await dataFolder(t);
  const server = await serveHere(t, path);
  const as =
    (person: Person | undefined): Call =>
    async (route, params) => {
      const answer = await call(server.url, person as Person, route, params);
      assert.equal(answer.status, 200, `${route}: ${answer["msg"]}`);
      return answer;
    };
  const [owner, hamlet, othello] = people;
  const { page, complaints } = await visit(t, `${server.url}/admin/`, { as: OWNER_LOGIN, ...options });
  await page.locator("#content").waitFor();
  await page.goto(`${server.url}/admin/#${hash}`);
  return { page, complaints, owner: as(owner), hamlet: as(hamlet), othello: as(othello) };
}

const channelNamed = async (asOwner: Call, name: string) => {
  const { streams } = await asOwner("GET /streams", { exclude_archived: false });
  return (streams as Record<string, unknown>[]).find((channel) => channel["name"] === name);
};

/** The channel as soon as `holds` is true for it. */
export const channelOnce = (asOwner: Call, name: string, holds: (channel: Record<string, unknown>) => boolean) =>
  until(async () => {
    const channel = await channelNamed(asOwner, name);
    return channel && holds(channel) ? channel : undefined;
  }, `the channel ${name}`);
