import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { deleteMessages } from "../../server/api/actions/message-deletions.ts";
import { editMessage, moveMessages } from "../../server/api/actions/message-edits.ts";
import { sendMessage } from "../../server/api/actions/messages.ts";
import { createOrganization } from "../../server/api/actions/organization.ts";
import { type Channel, channelById } from "../../server/api/queries/channels.ts";
import { messageRow } from "../../server/api/queries/messages.ts";
import type { User } from "../../server/api/queries/users.ts";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { fetchMessages } from "../../server/search/fetched-messages.ts";
import { indexAll, indexSlice } from "../../server/search/indexing.ts";
import { narrowTerms } from "../../server/search/narrow-terms.ts";
import { staleDocuments, unindexed } from "../../server/search/search-index.ts";
import { openStore, type Store } from "../../server/storage/store.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { addChannel } from "../bench/organization.ts";
import { type Disk, RecordingFiles } from "../support/recording-files.ts";
import { runSliced } from "../support/run-sliced.ts";

// These tests compare search with a scan of all texts. Messages are sent, edited, moved and deleted, the index lags
// behind, and the server makes checkpoints, is killed and restarts.

const WORDS = ["tea", "time", "team", "éclair", "Tee"];
const TOPICS = ["tea", "time out", ""];
const texts = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const channel = fc.nat({ max: 1 });
const topic = fc.constantFrom(...TOPICS);
const at = fc.nat({ max: 1000 });
const command = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("send" as const), channel, topic, text: texts }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("edit" as const), at, text: texts }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), at, channel, topic }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), at }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("index" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("checkpoint" as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

const QUERIES = ["tea", "tea time", '"tea time"', "te*", "tea*", "ECLAIR", '"time te*"', '"time out" tea'];

const folded = (text: string) => text.toLowerCase().replaceAll("é", "e").split(" ");
/** Matches the query by hand, independently of the server's parser. */
const holds = (text: string, query: string): boolean =>
  [...query.matchAll(/"([^"]*)"|(\S+)/g)].every(([, row, word]) => {
    const terms = folded(row ?? word ?? "");
    const words = folded(text);
    return words.some((_, start) =>
      terms.every((one, offset) =>
        one.endsWith("*") ? words[start + offset]?.startsWith(one.slice(0, -1)) : words[start + offset] === one,
      ),
    );
  });
const each = (query: string): string[] => [...query.matchAll(/"[^"]*"|\S+/g)].map(([term]) => term);

interface StoredMessage {
  channel: number;
  topic: string;
  text: string;
}

const FOLDER = "/data";
let clock = 1.7e12;
const open = (files: RecordingFiles): Promise<Store> =>
  openStore({
    folder: FOLDER,
    create: true,
    testing: { files, segmentSize: 256 << 10 },
    now: () => (clock += 1000),
  });

class History {
  readonly #messages = new Map<number, StoredMessage>();
  #files: RecordingFiles;
  #store: Store;
  readonly #owner: User;
  readonly #channels: Channel[];

  private constructor(files: RecordingFiles, store: Store) {
    this.#files = files;
    this.#store = store;
    this.#owner = this.#act((tx) =>
      createOrganization(tx, {
        name: "Venice",
        owner: { email: "desdemona@example.com", full_name: "Desdemona", password_hash: null },
        emailHost: "venice.local",
      }),
    );
    this.#channels = ["one", "two"].map((name) => this.#act((tx) => addChannel(tx, name, [this.#owner])));
  }

  static async begin(): Promise<History> {
    const files = new RecordingFiles();
    return new History(files, await open(files));
  }

  #act<T>(fn: (tx: Transaction) => T): T {
    return this.#store.transact<unknown>({ actor: null, action: "test" }, fn as (tx: Transaction) => unknown) as T;
  }

  #channel = (index: number) => channelById(this.#store.reader, (this.#channels[index] as Channel).id) as Channel;

  async run(step: Command): Promise<void> {
    const ids = [...this.#messages.keys()];
    const id = "at" in step ? ids[step.at % ids.length] : undefined;
    const stored = id === undefined ? undefined : this.#messages.get(id);
    if (step.do === "send") {
      const to = { channel: this.#channel(step.channel), topic: step.topic };
      const message = { to, content: step.text, rendered: renderMarkdown(step.text), client: "t", readBySender: true };
      const sent = this.#act((tx) => sendMessage(tx, this.#owner, message));
      this.#messages.set(sent.id, { ...step });
    } else if (step.do === "index") {
      this.#store.maintain(indexSlice);
    } else if (step.do === "checkpoint") {
      while (!this.#store.maintain(indexAll));
      await this.#store.checkpoint();
    } else if (step.do === "restart") {
      await this.#store.durable();
      const disk: Disk = this.#files.now(); // the state after a kill
      await this.#store.close();
      this.#files = new RecordingFiles(disk);
      this.#store = await open(this.#files);
    } else if (stored && id !== undefined) {
      if (step.do === "edit") {
        const row = messageRow(this.#store.reader, id);
        assert.ok(row);
        const text = { row, content: step.text, rendered: renderMarkdown(step.text) };
        this.#act((tx) =>
          editMessage(tx, this.#owner, { text, move: undefined, notices: { oldThread: false, newThread: false } }),
        );
        stored.text = step.text;
      } else if (step.do === "move") {
        const target = this.#channel(step.channel);
        const move = { ids: [id], channel: target, topic: step.topic, propagateMode: "change_one" as const };
        this.#act((tx) => moveMessages(tx, this.#owner, move));
        Object.assign(stored, { channel: step.channel, topic: step.topic });
      } else if (step.do === "delete") {
        this.#act((tx) => deleteMessages(tx, this.#owner, [id]));
        this.#messages.delete(id);
      }
    }
  }

  #found(narrow: unknown[], anchor: "newest" | "oldest" | number): number[] {
    const count = { before: anchor === "oldest" ? 0 : 50, after: anchor === "newest" ? 0 : 50 };
    const shape = { applyMarkdown: true, allowEmptyTopic: true };
    const fetch = { anchor, includeAnchor: true, ...count, narrow: narrowTerms(narrow), ...shape };
    return runSliced(fetchMessages(this.#store.reader, this.#owner, fetch)).messages.map(({ id }) => id);
  }

  compare(): void {
    const all = [...this.#messages].sort(([a], [b]) => a - b);
    const matching = (test: (message: StoredMessage) => boolean) =>
      all.filter(([, message]) => test(message)).map(([id]) => id);
    for (const query of QUERIES) {
      const matches = ({ text, topic }: StoredMessage) =>
        each(query).every((term) => holds(text, term) || holds(topic, term));
      for (const anchor of ["newest", "oldest", all.at(all.length >> 1)?.[0] ?? 1] as const) {
        assert.deepEqual(this.#found([["search", query]], anchor), matching(matches), `${query}, ${anchor}`);
      }
      const inOne = [["channel", (this.#channels[0] as Channel).id]];
      const without = [...inOne, ["-search", query]];
      assert.deepEqual(
        this.#found(without, "newest"),
        matching((message) => message.channel === 0 && !matches(message)),
        `not ${query}`,
      );
      assert.deepEqual(
        this.#found([...inOne, ["topic", "tea"], ["search", query]], "newest"),
        matching((message) => message.channel === 0 && message.topic === "tea" && matches(message)),
        `${query} in a topic`,
      );
    }
  }

  async end(): Promise<void> {
    while (!this.#store.maintain(indexSlice));
    assert.equal(unindexed(this.#store.reader), 0);
    assert.ok(staleDocuments(this.#store.reader) >= 0);
    this.compare();
    await this.#store.close();
  }
}

test("search always equals a scan of all texts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      const history = await History.begin();
      for (const [done, step] of commands.entries()) {
        await history.run(step);
        if (done % 6 === 0 || ["restart", "checkpoint"].includes(step.do)) history.compare();
      }
      await history.end();
    }),
    { numRuns: 12 },
  );
});
