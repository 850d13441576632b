import { Refusal } from "../../api/client.ts";
import { Store } from "../../api/store.ts";
import type { ReportedProblem } from "../../locales/error-texts.ts";
import type { DraftNarrow, Drafts } from "./drafts.ts";
import { narrowKey } from "./narrow.ts";
import type { SendFile } from "./send-file.ts";

/** A file that is uploaded for the draft of a conversation. */
export interface Upload {
  readonly id: number;
  readonly narrow: DraftNarrow;
  readonly file: File;
  readonly state: "waiting" | "sending" | "failed";
  /** From 0 to 100. */
  readonly percent: number;
  /** "unreachable" uploads restart when the server responds. */
  readonly reason?: "refused" | "unreachable" | "tooLarge";
  /** The server's error message. */
  readonly problem?: ReportedProblem;
  /** The position of the link while the text is unchanged. */
  readonly at: Position;
}

interface Position {
  readonly text: string;
  readonly position: number;
}

/** The last inserted link. `caret` is undefined if the caret stays. */
export interface Placed {
  readonly key: string;
  readonly text: string;
  readonly caret: number | undefined;
}

export interface UploadsOptions {
  readonly drafts: Drafts;
  readonly send: SendFile;
  maxBytes(): number;
}

/**
 * Uploads files in order and inserts a link to each into the draft of its conversation, even if another page is open.
 * Failed files stay in the list until the user retries or removes them.
 */
export class Uploads {
  readonly store = new Store<readonly Upload[]>([]);
  readonly placed = new Store<Placed | undefined>(undefined);
  readonly #options: UploadsOptions;
  #lastId = 0;
  #isSending = false;
  #current: { readonly id: number; readonly abort: AbortController } | undefined;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** `position` is an index of the draft's text. */
  add(narrow: DraftNarrow, files: readonly File[], position: number): void {
    const at = { text: this.#textIn(narrow), position };
    const maxBytes = this.#options.maxBytes();
    const added = files.map((file): Upload => {
      this.#lastId += 1;
      const upload = { id: this.#lastId, narrow, file, percent: 0, at };
      return file.size > maxBytes
        ? { ...upload, state: "failed", reason: "tooLarge" }
        : { ...upload, state: "waiting" };
    });
    this.store.update((all) => [...all, ...added]);
    void this.#run();
  }

  retry(id: number): void {
    this.#change(id, { state: "waiting", percent: 0 });
    void this.#run();
  }

  /** Cancels an upload, or removes a failed one. */
  remove(id: number): void {
    this.store.update((all) => all.filter((one) => one.id !== id));
    if (this.#current?.id === id) this.#current.abort.abort();
  }

  /** Call when the server responds again. */
  wake(): void {
    for (const { id, reason, state } of this.store.value)
      if (state === "failed" && reason === "unreachable") this.retry(id);
  }

  stop(): void {
    this.store.set([]);
    this.#current?.abort.abort();
  }

  async #run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (;;) {
      const next = this.store.value.find(({ state }) => state === "waiting");
      if (!next) break;
      await this.#send(next);
    }
    this.#isSending = false;
  }

  async #send({ id, file }: Upload): Promise<void> {
    const abort = new AbortController();
    this.#current = { id, abort };
    this.#change(id, { state: "sending" });
    try {
      const address = await this.#options.send(file, (percent) => this.#change(id, { percent }), abort.signal);
      const upload = this.store.value.find((one) => one.id === id);
      if (!upload) return; // removed while the response was on its way
      this.#place(upload, `[${file.name.replace(/[[\]]/g, "")}](${address})\n`);
      this.remove(id);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      this.#change(id, {
        state: "failed",
        reason: isRefused ? "refused" : "unreachable",
        ...(isRefused && { problem: error.problem }),
      });
    }
  }

  /** Inserts the link at the caret, or at the end if the text has changed, so that it does not split a word. */
  #place({ narrow, at }: Upload, link: string): void {
    const text = this.#textIn(narrow);
    const isUnchanged = text === at.text;
    const position = isUnchanged ? at.position : text.length;
    // Separates the link from the word before it.
    const addition = /\S$/.test(text.slice(0, position)) ? ` ${link}` : link;
    const end = position + addition.length;
    const next = text.slice(0, position) + addition + text.slice(position);
    const key = narrowKey(narrow);
    this.placed.set({ key, text: next, caret: isUnchanged ? end : undefined });
    this.#options.drafts.set(narrow, { text: next });
    if (!isUnchanged) return;
    // The other files of the same selection follow this one.
    const behind: Position = { text: next, position: end };
    this.store.update((all) => all.map((one) => (one.at === at ? { ...one, at: behind } : one)));
  }

  #textIn = (narrow: DraftNarrow): string => this.#options.drafts.store.value.get(narrowKey(narrow))?.text ?? "";

  #change(id: number, change: Partial<Upload>): void {
    this.store.update((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }
}
