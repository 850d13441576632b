import { randomBytes } from "node:crypto";
import { setAvatar } from "../../server/api/actions/avatars.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { StoredFiles } from "../../server/media/files/stored-files.ts";
import { openStore } from "../../server/storage/store.ts";
import { type Load, startLoad } from "./generator.ts";
import { type Account, addChannel, makeOrganization, personId } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { call, type Fields, getRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { idle, median } from "./start.ts";

const PEOPLE = 1000;
const CHANNEL = "general";
/** About the size of a photo of 100 by 100 pixels as a PNG. */
const AVATAR_BYTES = 20_000;
/** Connections that browsers open to one server. */
const CONNECTIONS = 6;
/** A page that completes within a second does not look slow. */
const PAGE_MS = 1000;
/** Required share of the send rate without other load. */
const SENDS_SHARE = 0.9;

/** Gives each user an uploaded picture. */
async function uploadAvatars(folder: string): Promise<void> {
  const store = await openStore({ folder });
  const files = new StoredFiles(folder, () => store.durable());
  for (let number = 1; number <= PEOPLE; number += 1) {
    const contents = [AVATAR_BYTES, 10].map((size) => ({ kind: "avatars" as const, content: randomBytes(size) }));
    await files.store(contents, ([small, medium]) =>
      store.transact({ actor: null, action: "bench" }, (tx) => {
        const user = userById(tx, personId(number)) as User;
        if (small && medium) setAvatar(tx, user, user, { small, medium });
      }),
    );
  }
  await store.close();
}

interface Page {
  request: string;
  /** Pictures of the authors, each once. */
  pictures: string[];
}

/** Everyone writes once, then one person reads it all. */
async function writtenPage(server: Child, accounts: readonly Account[]): Promise<Page> {
  for (const account of accounts) {
    const message = { type: "channel", to: CHANNEL, topic: "roll call", content: "Here!" };
    await call(server, account, "POST", "/messages", message);
  }
  return shownPage(server, accounts[0] as Account);
}

async function shownPage(server: Child, viewer: Account): Promise<Page> {
  const fields: Fields = { anchor: "newest", num_before: PEOPLE, num_after: 0 };
  const { messages } = await call(server, viewer, "GET", "/messages", fields);
  const urls = new Set<string>(messages.map(({ avatar_url }: { avatar_url: string }) => avatar_url));
  if (urls.size < PEOPLE) throw new Error(`${urls.size} pictures instead of ${PEOPLE}.`);
  const pictures = [...urls].map((url) => `GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return { request: getRequest(viewer, "/messages", fields), pictures };
}

interface Taken {
  messages: number[];
  pictures: number[];
}

/** Milliseconds for the page of messages, then for its pictures. */
async function readPage(load: Load, { port }: Child, page: Page, taken: Taken): Promise<void> {
  const task = { task: "once" as const, port };
  const messages = await load.run({ ...task, connections: 1, requests: [page.request] });
  const pictures = await load.run({ ...task, connections: CONNECTIONS, requests: page.pictures });
  taken.messages.push(messages.seconds * 1000);
  taken.pictures.push(pictures.seconds * 1000);
}

export const pictures: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(PEOPLE, (tx, users) => addChannel(tx, CHANNEL, users));
  const rounds = quick ? 3 : 10;
  const [generated, uploaded]: Taken[] = [
    { messages: [], pictures: [] },
    { messages: [], pictures: [] },
  ] as [Taken, Taken];
  const first = await startHearth(folder);
  const drawn = await writtenPage(first, accounts);
  for (let round = 0; round < rounds; round += 1) await readPage(load, first, drawn, generated as Taken);
  await first.stop();

  await uploadAvatars(folder);
  const server = await startHearth(folder);
  const page = await shownPage(server, accounts[0] as Account);
  await idle(quick);
  for (let round = 0; round < rounds; round += 1) await readPage(load, server, page, uploaded as Taken);
  const figures = (which: keyof Taken) => ({
    value: median((uploaded as Taken)[which]),
    limits: { generated: median((generated as Taken)[which]) },
    unit: "ms",
  });
  tell({ name: "page of 1,000 messages by 1,000 people", ...figures("messages") });
  tell({ name: "its 1,000 pictures, 6 connections", ...figures("pictures"), atMost: PAGE_MS });
  await sendsMeanwhile({ load, quick, tell }, server, accounts, page);
  await server.stop();
  removeFolder(folder);
};

/** Sends by eight people, alone and while another person opens the page. */
async function sendsMeanwhile(
  { load, quick, tell }: Pick<Parameters<Section>[0], "load" | "quick" | "tell">,
  { port }: Child,
  accounts: readonly Account[],
  { pictures: requests }: Page,
): Promise<void> {
  const senders = accounts.slice(2, 10).map((account) => sender(account, CHANNEL));
  const [alone, beside] = [[] as number[], [] as number[]];
  const reader = startLoad();
  try {
    const sends = async (taken: number[]) => {
      const result = await load.run({ task: "sends", port, senders, pollers: [], seconds: 3, warmUp: 0.5 });
      taken.push(result.sent / result.seconds);
    };
    for (let round = 0; round < (quick ? 2 : 5); round += 1) {
      await sends(alone);
      await Promise.all([sends(beside), reader.run({ task: "once", port, connections: CONNECTIONS, requests })]);
    }
  } finally {
    reader.close();
  }
  const [value, limit] = [median(beside), median(alone)];
  const target = { atLeast: SENDS_SHARE * limit };
  tell({ name: "sends while the page is opened", value, unit: "/s", limits: { alone: limit }, ...target });
}
