import type { Answer, Client } from "../../api/client.ts";
import type { WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { isSameTopic } from "../../parts/folded.ts";

export type Topic = Answer<"GET /users/me/{stream_id}/topics">["topics"][number];
type ByChannel = Readonly<Record<number, readonly Topic[]>>;

/** The topics of opened channels, newest first. */
export class Topics {
  readonly store = new Store<ByChannel>({});
  readonly #client: Client;
  /** For each running request: the topics of messages that arrived since. */
  readonly #written = new Map<number, Topic[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** After a failure, the old topics stay until the next load. */
  async load(channelId: number): Promise<void> {
    const input = { stream_id: channelId, allow_empty_topic_name: true };
    const written: Topic[] = [];
    this.#written.set(channelId, written);
    const answer = await this.#client.call("GET /users/me/{stream_id}/topics", input).catch(() => undefined);
    // Ignores the response if a newer request has started.
    if (this.#written.get(channelId) !== written) return;
    this.#written.delete(channelId);
    if (!answer) return;
    this.store.update((all) => ({ ...all, [channelId]: answer.topics }));
    const isNewer = ({ name, max_id }: Topic) =>
      !answer.topics.some((one) => one.max_id >= max_id && isSameTopic(one.name, name));
    for (const topic of written.filter(isNewer)) this.#wrote(channelId, topic);
  }

  /** Call when events may be missing. */
  reload(): void {
    for (const channelId of Object.keys(this.store.value)) void this.load(Number(channelId));
  }

  apply(event: WireEvent): void {
    if (event.type === "message") {
      const { stream_id, subject, id } = event.message;
      if (stream_id !== undefined) this.#wrote(stream_id, { name: subject, max_id: id });
    }
    if (event.type === "update_message" && (event.subject !== undefined || event.new_stream_id !== undefined))
      this.#loadAgain([event.stream_id, event.new_stream_id]);
    if (event.type === "delete_message") this.#loadAgain([event.stream_id]);
  }

  #wrote(channelId: number, topic: Topic): void {
    this.#written.get(channelId)?.push(topic);
    const before = this.store.value[channelId];
    if (!before) return;
    const others = before.filter(({ name }) => !isSameTopic(name, topic.name));
    this.store.update((all) => ({ ...all, [channelId]: [topic, ...others] }));
  }

  #loadAgain(channelIds: readonly (number | undefined)[]): void {
    for (const id of channelIds)
      if (id !== undefined && (this.store.value[id] || this.#written.has(id))) void this.load(id);
  }
}
