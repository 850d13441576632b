import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { readyToSearch } from "../../server/api/endpoints/narrow-params.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import type { App } from "../../server/app.ts";
import { runInSlices, runIteratorInSlices } from "../../server/http/run-in-slices.ts";
import { searchTermsIn } from "../../server/markdown/matches.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { fetchMessages, fetchMessagesById } from "../../server/search/fetched-messages.ts";
import { improveIndex, indexAll, indexSlice, startIndexing } from "../../server/search/indexing.ts";
import { bySearch } from "../../server/search/message-search.ts";
import type { Direction, Page, Source } from "../../server/search/narrow-sources.ts";
import { narrowTerms } from "../../server/search/narrow-terms.ts";
import { isIndexDamaged, isSearchReady, staleDocuments, unindexed } from "../../server/search/search-index.ts";
import type { Maintenance } from "../../server/storage/transaction.ts";
import { addChannel } from "../bench/organization.ts";
import { type Organization, startOrganization } from "../support/organization.ts";
import { runSliced } from "../support/run-sliced.ts";

/** An organization whose owner sends messages to themself. */
async function talking(t: TestContext) {
  const organization: Organization = await startOrganization(t);
  const { store, owner, act } = organization;
  const { id } = act((tx) => addChannel(tx, "general", [owner])).result;
  const send = (count: number, text: (n: number) => string) =>
    act((tx) => {
      const channel = channelById(tx, id) as Channel;
      return Array.from({ length: count }, (_, n) => {
        const content = text(n);
        const message = { to: { channel, topic: "t" }, content, rendered: renderMarkdown(content), client: "t" };
        return sendMessage(tx, owner, { ...message, readBySender: true }).id;
      });
    }).result;
  const work = (words: string) => {
    const shape = { applyMarkdown: true, allowEmptyTopic: true };
    const stretch = { anchor: "newest" as const, includeAnchor: true, before: 5000, after: 0 };
    return fetchMessages(store.reader, owner, { ...stretch, ...shape, narrow: narrowTerms([["search", words]]) });
  };
  const search = (words: string) => runSliced(work(words)).messages.map((message) => message.id);
  const indexed = (word: string) =>
    store.reader.all("SELECT docid FROM message_search WHERE message_search MATCH ?", word).length;
  return { ...organization, send, search, work, indexed };
}

test("the index is built in slices, rebuilt when outdated", async (t) => {
  const { store, send, search, indexed } = await talking(t);
  const ids = send(3000, (n) => `tea ${n % 100 === 7 ? "ceremony" : "party"} ${n}`);
  const expected = ids.filter((_, n) => n % 100 === 7);
  assert.equal(isSearchReady(store.reader), false);
  assert.deepEqual(search("ceremony"), expected);
  let slices = 0;
  for (; !store.maintain(indexSlice); slices += 1) if (slices % 5 === 0) assert.deepEqual(search("ceremony"), expected);
  assert.ok(slices > 1);
  assert.deepEqual([unindexed(store.reader), isSearchReady(store.reader), indexed("ceremony")], [0, true, 30]);
  assert.deepEqual(search("ceremony"), expected);
  assert.deepEqual(search("tea"), ids);
  const [one] = send(1, () => "ceremony");
  assert.deepEqual(search("ceremony"), [...expected, one]);

  store.maintain((work) => work.run("UPDATE message_search_state SET version = version - 1"));
  assert.equal(isSearchReady(store.reader), false, "the index has an older tokenization");
  assert.deepEqual(search("ceremony"), [...expected, one]);
  while (!store.maintain(indexSlice));
  assert.deepEqual(search("ceremony"), [...expected, one]);
  assert.deepEqual([staleDocuments(store.reader), indexed("ceremony")], [0, 31], "and nothing twice");
});

test("a large index is not queried for frequent words", async (t) => {
  const { store, send } = await talking(t);
  const ids = send(400, (n) =>
    n < 200 ? (n % 50 === 7 ? "ceremony" : "water") : `tea ${n % 50 === 7 ? "ceremony" : n}`,
  );
  store.maintain(indexAll);
  const pages = (words: string, direction: Direction, largeIndex: number): (readonly number[])[] => {
    const source = bySearch(store.reader, searchTermsIn([words]), largeIndex) as Source;
    const found: (readonly number[])[] = [];
    let from: number | undefined = direction === "down" ? (ids.at(-1) as number) : 0;
    while (from !== undefined) {
      const page: Page = source(direction, from, 50);
      found.push(page.ids);
      from = page.next;
    }
    return found;
  };
  const [old, recent] = [ids.slice(0, 200), ids.slice(200)];
  assert.deepEqual(pages("tea", "down", ids.length).flat(), recent.toReversed(), "a small index finds exactly these");
  assert.deepEqual(pages("tea", "down", 0).flat(), recent.toReversed(), "one after another, until none matches here");
  const up = pages("tea", "up", 0);
  assert.deepEqual(up.flat(), recent, "from where it is rare the index leads to where it is not");
  assert.deepEqual(up.at(0), recent.slice(0, 50));
  const rare = ids.filter((_, n) => n % 50 === 7);
  assert.deepEqual(pages("ceremony", "up", 0).flat(), rare, "a rare word is looked up");
  assert.deepEqual(pages("water", "up", 0)[0], old.slice(0, 50), "read, with what does not match");
  assert.notDeepEqual(pages("water", "up", ids.length)[0], old.slice(0, 50));
});

/** Overwrites the index's own pages, so that reading them fails. */
const damage = (work: Maintenance) => {
  work.run("UPDATE message_search_segdir SET root = x'00ffffffffff', leaves_end_block = start_block + 9");
  work.run("DELETE FROM message_search_segments");
};
const MALFORMED = /database disk image is malformed/;

test("a damaged index is rebuilt while search stays complete", async (t) => {
  const { store, send, search, indexed } = await talking(t);
  const ids = send(2500, (n) => `tea ${n % 100 === 7 ? "ceremony" : "party"} ${n}`);
  const expected = ids.filter((_, n) => n % 100 === 7);
  while (!store.maintain(indexAll));
  store.maintain(damage);
  assert.throws(() => indexed("ceremony"), MALFORMED);
  assert.equal(isSearchReady(store.reader), true, "the damage is not detected yet");
  assert.deepEqual(search("ceremony"), expected);
  assert.deepEqual(search("tea"), ids);
  assert.equal(isSearchReady(store.reader), false);
  while (!improveIndex(store));
  assert.deepEqual([indexed("ceremony"), unindexed(store.reader), staleDocuments(store.reader)], [25, 0, 0]);
  assert.deepEqual(search("ceremony"), expected);
});

test("damage found during indexing triggers a rebuild", async (t) => {
  const { store, send, search, indexed } = await talking(t);
  const ids = send(300, () => "tea");
  while (!improveIndex(store));
  store.maintain(damage);
  // SQLite decides how much of the index a slice reads, so the test injects the error.
  const reading = (fn: (work: Maintenance) => boolean) =>
    store.maintain((work) => {
      if (!isIndexDamaged(store.reader)) work.all("SELECT docid FROM message_search WHERE message_search MATCH 'tea'");
      return fn(work);
    });
  const { reader } = store;
  assert.equal(improveIndex({ reader, maintain: reading }), false);
  assert.equal(isIndexDamaged(reader), true);
  while (!improveIndex({ reader, maintain: reading }));
  assert.deepEqual([isIndexDamaged(reader), indexed("tea"), search("tea")], [false, 300, ids]);

  const hopeless = () => store.maintain((work) => damage(work) ?? indexed("tea") > 0);
  assert.throws(() => {
    while (!improveIndex({ reader, maintain: hopeless }));
  }, MALFORMED);
  assert.equal(isIndexDamaged(reader), true);
  assert.deepEqual(search("tea"), ids);
});

test("merges index segments before SQLite would merge 16 at once", async (t) => {
  const { store, send } = await talking(t);
  const sizes = "SELECT max(count) FROM (SELECT count(*) AS count FROM message_search_segdir GROUP BY level)";
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    send(2, () => "tea");
    for (let done = false; !done; most = Math.max(most, store.reader.value<number>(sizes) ?? 0))
      done = improveIndex(store);
  }
  assert.ok(most >= 8 && most < 12, `${most} segments`);
});

const BETWEEN_SLICES_MS = 10;

test("failing indexing backs off up to a minute", async (t) => {
  const { store, send } = await talking(t);
  send(10, () => "tea");
  const [waits, reports] = [[] as number[], [] as string[]];
  let fails = true;
  const broken = new Proxy(store, {
    get(target, name) {
      if (name === "maintain" && fails) throw new Error("on purpose");
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await new Promise<void>((done) => {
    const indexing = startIndexing({
      store: broken,
      report: (message, error) => reports.push(`${message}: ${(error as Error).message}`),
      wait: async (ms) => {
        if (ms === BETWEEN_SLICES_MS) return; // a slow machine needs several slices for these messages
        waits.push(ms);
        fails = waits.length < 11;
        if (waits.length < 12) return;
        indexing.stop();
        done();
      },
    });
  });
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 250]);
  assert.deepEqual(new Set(reports), new Set(["The search index could not be brought up to date: on purpose"]));
  assert.equal(reports.length, 10);
  assert.equal(unindexed(store.reader), 0);
});

test("purges words of deleted messages when nobody writes", async (t) => {
  const { store, owner, act, send, search, indexed } = await talking(t);
  const secret = send(1200, () => "secret");
  const rest = send(300, () => "public");
  let quiet = 0;
  const indexing = startIndexing({
    store,
    report: (_, error) => assert.equal(error, undefined),
    wait: () => new Promise((resolve) => setImmediate(resolve)).then(() => (quiet += 1)),
  });
  t.after(() => indexing.stop());
  const tenMinutes = async () => {
    const from = quiet;
    while (quiet < from + 5000) await new Promise((resolve) => setImmediate(resolve));
  };
  await tenMinutes();
  act((tx) => deleteMessages(tx, owner, secret.slice(0, 900)));
  await tenMinutes();
  assert.deepEqual([indexed("secret"), staleDocuments(store.reader)], [1200, 900], "too few to rebuild");
  assert.deepEqual(search("secret"), secret.slice(900));
  act((tx) => deleteMessages(tx, owner, secret.slice(900)));
  assert.deepEqual(search("secret"), []);
  await tenMinutes();
  assert.deepEqual([indexed("secret"), staleDocuments(store.reader), unindexed(store.reader)], [0, 0, 0]);
  assert.deepEqual([search("secret"), search("public")], [[], rest]);
});

test("empties a large index in slices and does not query it", async (t) => {
  const { store, send, search, indexed } = await talking(t);
  const ids = send(20, () => "needle");
  while (!improveIndex(store));
  store.maintain((work) => {
    for (let block = 1000; block < 1700; block += 1)
      work.run("INSERT INTO message_search_segments (blockid, block) VALUES (?, ?)", block, new Uint8Array(100));
    work.run("UPDATE message_search_state SET version = version - 1");
  });
  const blocks = () => store.reader.value<number>("SELECT COUNT(*) FROM message_search_segments") as number;
  let slices = 0;
  assert.equal(improveIndex(store), false); // merges the index of the previous slice
  for (let before = blocks(); before >= 200; before = blocks()) {
    assert.equal(improveIndex(store), false);
    assert.equal(indexed("needle"), 0);
    assert.deepEqual(search("needle"), ids, "without the index");
    assert.ok(before - blocks() <= 200);
    if (blocks() < before) slices += 1;
  }
  assert.ok(slices >= 3);
  while (!improveIndex(store));
  assert.deepEqual([indexed("needle"), search("needle")], [20, ids]);
});

test("a search in slices omits messages deleted during it", async (t) => {
  const { owner, act, send, work } = await talking(t);
  const ids = send(500, (n) => (n % 200 === 0 ? "needle" : "hay"));
  const [first = 0, second = 0, third = 0] = ids.filter((_, n) => n % 200 === 0);
  const search = work("needle");
  let turns = 0;
  let step = search.next();
  for (; !step.done; step = search.next()) {
    turns += 1;
    if (turns === 6) act((tx) => deleteMessages(tx, owner, [third]));
  }
  assert.ok(turns > 6);
  assert.deepEqual(
    step.value.messages.map(({ id }) => id),
    [first, second],
  );
});

test("a search waits for indexing, within limits", async (t) => {
  const { store, send } = await talking(t);
  send(5000, () => "tea");
  const { reader } = store;
  const call = (maxRequestMs: number) => {
    const app = { store, maxRequestMs } as unknown as App;
    return { app, reader, onGone: () => {} };
  };
  const search = narrowTerms([["search", "tea"]]);
  await readyToSearch(call(0), narrowTerms([["is", "dm"]]));
  assert.equal(unindexed(reader), 5000, "only a search waits");
  await assert.rejects(readyToSearch(call(0), search), { code: "REQUEST_TIMEOUT", status: 503 });
  assert.ok(unindexed(reader) < 5000, "the indexing so far remains");
  await readyToSearch(call(60_000), search);
  assert.equal(isSearchReady(reader), true);
});

test("abandons sliced work that takes too long", async (t) => {
  const { store } = await startOrganization(t);
  const app = { store, maxRequestMs: 0 } as unknown as App;
  let ended = false;
  function* endless(): Generator<undefined, number> {
    try {
      for (;;) yield;
    } finally {
      ended = true;
    }
  }
  const work = endless();
  await assert.rejects(runIteratorInSlices({ app, onGone: () => {} }, work), { code: "REQUEST_TIMEOUT", status: 503 });
  work.return(0);
  assert.equal(ended, true);
  function* short(): Generator<undefined, number> {
    yield;
    return 7;
  }
  assert.equal(await runIteratorInSlices({ app, onGone: () => {} }, short()), 7);
});

test("other calls run between slices of many sliced calls", async (t) => {
  const { store } = await startOrganization(t);
  const call = { app: { store, maxRequestMs: 60_000 } as unknown as App, onGone: () => {} };
  let between = 0;
  let ended = false;
  const watch = () => {
    between += 1;
    if (!ended) setImmediate(watch);
  };
  watch();
  const at: number[] = [];
  const one = async () => {
    let left = 4;
    return runInSlices(call, (begins) => {
      if (!begins) at.push(between);
      left -= 1;
      return left === 0;
    });
  };
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, one)), new Array(20).fill(true));
  ended = true;
  assert.equal(at.length, 60);
  const atOnce = Math.max(...at.map((moment) => at.filter((other) => other === moment).length));
  assert.ok(atOnce <= 2, `${atOnce} turns at once`);
});

test("a response limited by size contains messages nearest the anchor", async (t) => {
  const { store, owner, send } = await talking(t);
  const ids: number[] = [];
  while (ids.length < 1200) {
    if (store.hasRoom) ids.push(...send(60, (n) => `${n} ${"word ".repeat(1990)}`));
    else await setTimeout(5); // the next segment is being prepared
  }
  const shape = { applyMarkdown: true, allowEmptyTopic: true };
  const fetched = (anchor: number | "newest" | "oldest", before: number, after: number) => {
    const stretch = { anchor, includeAnchor: true, before, after, narrow: [] };
    return runSliced(fetchMessages(store.reader, owner, { ...stretch, ...shape }));
  };
  const newest = fetched("newest", 5000, 0);
  assert.deepEqual([newest.found_oldest, newest.found_newest], [false, true]);
  const got = newest.messages.map(({ id }) => id);
  assert.deepEqual(got, ids.slice(-got.length), "the newest, without a gap");
  assert.ok(JSON.stringify(newest).length < 9_000_000 && got.length > 700);
  const oldest = fetched("oldest", 0, 5000);
  assert.deepEqual([oldest.found_oldest, oldest.found_newest, oldest.messages[0]?.id], [true, false, ids[0]]);
  const around = fetched(ids[600] as number, 2000, 2000);
  assert.deepEqual([around.found_oldest, around.found_newest, around.found_anchor], [false, false, true]);
  // Continuing from the end of each response, a client gets every message.
  const rest = fetched(got[0] as number, 5000, 0);
  assert.deepEqual([rest.messages[0]?.id, rest.found_oldest], [ids[0], true]);
  const work = { ids, narrow: [], ...shape };
  assert.throws(() => runSliced(fetchMessagesById(store.reader, owner, work)), { code: "BAD_REQUEST" });
  assert.equal(runSliced(fetchMessagesById(store.reader, owner, { ...work, ids: ids.slice(500, 600) })).length, 100);
});

test("search highlights count towards the response size", async (t) => {
  const { store, owner, send } = await talking(t);
  let ids: number[] = [];
  while (ids.length < 300) {
    if (store.hasRoom) ids = [...ids, ...send(30, (n) => `tea ${n} ${"some words ".repeat(900)}`)];
    else await setTimeout(5); // the next segment is being prepared
  }
  const [letters] = send(1, () => "tea ".repeat(2000));
  store.maintain(indexAll);
  const narrow = narrowTerms([["search", "tea some words"]]);
  const stretch = { anchor: "newest" as const, includeAnchor: true, before: 5000, after: 0 };
  const shape = { applyMarkdown: true, allowEmptyTopic: true };
  const found = runSliced(fetchMessages(store.reader, owner, { ...stretch, narrow, ...shape }));
  assert.ok(JSON.stringify(found).length < 9_000_000, `${JSON.stringify(found).length} bytes`);
  assert.deepEqual([found.found_oldest, found.messages.at(-1)?.id], [false, ids.at(-1)]);
  const tea = narrowTerms([["search", "tea"]]);
  const newest = runSliced(
    fetchMessages(store.reader, owner, { ...stretch, before: 2, narrow: tea, ...shape }),
  ).messages;
  const [marked, unmarked] = newest.slice(-2);
  assert.match(marked?.match_content ?? "", /^<p><span class="highlight">tea<\/span> \d+ some/);
  assert.equal(unmarked?.id, letters);
  assert.doesNotMatch(unmarked?.match_content ?? "", /highlight/);
});
