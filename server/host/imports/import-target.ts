import {
  finishChannel,
  importAvatar,
  importChannel,
  importConversation,
  importEmoji,
  importMessages,
  importPeople,
  importTexts,
} from "../../api/actions/imports.ts";
import { customEmojiByName } from "../../api/queries/emoji.ts";
import { emojiPictureUrl } from "../../api/queries/pictures.ts";
import type { ContentOnDisk, ImportTarget, NewImportedFile } from "../../imports/target.ts";
import type { NewFile, StoredFiles } from "../../media/files/stored-files.ts";
import { ImageRefused, type Images } from "../../media/images/images.ts";
import type { NotAPromise, Store } from "../../storage/store.ts";
import type { Transaction } from "../../storage/transaction.ts";

interface Parts {
  store: Store;
  files: StoredFiles;
  images: Images;
  /** Resolves when other requests had their turn. */
  rest: () => Promise<void>;
}

type Write = <T>(fn: (tx: Transaction) => NotAPromise<T>) => T;

/** In pixels, as for uploaded pictures of people. */
const AVATAR_SIZES = [100, 500];
/** For the turns of pictures: no user has this ID. */
const NOBODY = 0;

/** Writes an import into the database and the files of this server. */
export function importTarget(
  { store, files, images, rest }: Parts,
  { importId, client }: { importId: number; client: string },
): ImportTarget {
  const transact: Write = (fn) => store.transact({ actor: null, action: "write import" }, fn);
  const write = async <T>(fn: (tx: Transaction) => NotAPromise<T>): Promise<T> => {
    await rest();
    return transact(fn);
  };
  /** Removes the temporary file afterwards. Undefined: the picture cannot be read. */
  const decoded = <T>(picture: ContentOnDisk, decode: () => Promise<T>): Promise<T | undefined> =>
    decode()
      .catch(undefinedIfRefused)
      .finally(() => files.discard([temporary(picture)]));
  return {
    people: (people) => write((tx) => importPeople(tx, importId, people)),
    measure: (path) => images.info(NOBODY, { path }).catch(undefinedIfRefused),
    async avatar(userId, picture) {
      const squares = await decoded(picture, () => images.squares(NOBODY, { path: picture.path }, AVATAR_SIZES));
      if (!squares) return;
      await rest();
      await files.store(
        squares.map((content) => ({ kind: "avatars" as const, content })),
        ([small, medium]) =>
          transact((tx) => importAvatar(tx, userId, { small: small as NewFile, medium: medium as NewFile })),
      );
    },
    async emoji(name, picture) {
      const existing = customEmojiByName(store.reader, name);
      if (existing) {
        await files.discard([temporary(picture)]);
        return { name, id: existing.id, url: emojiPictureUrl(existing) };
      }
      const made = await decoded(picture, () => images.emoji(NOBODY, { path: picture.path }));
      if (!made) return undefined;
      const pictures = made.animated ? [made.animated.bytes, made.still] : [made.still];
      await rest();
      const emoji = await files.store(
        pictures.map((content) => ({ kind: "emoji" as const, content })),
        ([file, still = null]) =>
          transact((tx) =>
            importEmoji(tx, importId, {
              name,
              picture: file as NewFile,
              extension: made.animated?.format ?? "png",
              still,
            }),
          ),
      );
      return emoji && { name, id: emoji.id, url: emojiPictureUrl(emoji) };
    },
    async channel(channel) {
      const { id, recipient_id, name } = await write((tx) => importChannel(tx, importId, channel));
      return { id, recipientId: recipient_id, name };
    },
    conversations: (members) => write((tx) => members.map((userIds) => importConversation(tx, importId, userIds))),
    async messages({ messages, slot, files: newFiles }) {
      await rest();
      const first = await files.store(
        newFiles.map(({ content }) => ({ kind: "attachments" as const, content: temporary(content) })),
        (stored) =>
          transact((tx) => {
            const placed = stored.map((file, n) => ({ ...(newFiles[n] as NewImportedFile), file }));
            return importMessages(tx, importId, { client, messages, slot, files: placed });
          }),
      );
      await store.durable();
      return first;
    },
    texts: (texts) => write((tx) => importTexts(tx, texts)),
    finishChannel: (channelId, options) => write((tx) => finishChannel(tx, importId, { channelId, ...options })),
  };
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof ImageRefused)) throw error;
}

const temporary = (content: ContentOnDisk) => ({ ...content, head: Buffer.from(content.head) });
