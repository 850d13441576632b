import { type Archive, openFileOf } from "./archive.ts";
import type {
  ExportReader,
  ImportedChannel,
  ImportedConversation,
  ImportedEmoji,
  ImportedMessage,
  ImportedPerson,
  LeftOut,
} from "./model.ts";

type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** An export whose lists of people, places and files are in memory. */
export interface LoadedExport {
  people(): Items<ImportedPerson>;
  channels(): Items<ImportedChannel>;
  conversations(): Items<ImportedConversation>;
  emoji(): Items<ImportedEmoji>;
  messages(leftOut: LeftOut): Items<ImportedMessage>;
}

/** A reader that loads its export on first use. */
export function lazyReader(
  archive: Archive,
  load: () => Promise<LoadedExport>,
  openFile = openFileOf(archive),
): ExportReader {
  let loading: Promise<LoadedExport> | undefined;
  const loaded = (): Promise<LoadedExport> => {
    loading ??= load();
    return loading;
  };
  return {
    people: async function* () {
      yield* (await loaded()).people();
    },
    channels: async function* () {
      yield* (await loaded()).channels();
    },
    conversations: async function* () {
      yield* (await loaded()).conversations();
    },
    emoji: async function* () {
      yield* (await loaded()).emoji();
    },
    messages: async function* (leftOut) {
      yield* (await loaded()).messages(leftOut);
    },
    openFile,
  };
}
