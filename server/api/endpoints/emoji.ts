import { z } from "zod";
import { aboutParameter } from "../../errors.ts";
import { text } from "../../http/params.ts";
import type { NewFile } from "../../media/files/stored-files.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import { emojiToDeactivate } from "../access/emoji.ts";
import { addCustomEmoji, allowedEmojiName, deactivateCustomEmoji } from "../actions/emoji.ts";
import { customEmojiOnWire, wireEmoji } from "../presenters/emoji.ts";
import { endpoint } from "./endpoint.ts";
import { decoded, onePicture, pictureIn, takesTurnsAs } from "./uploaded-pictures.ts";

export const getEmoji = endpoint({
  route: "GET /realm/emoji",
  summary: "List custom emoji by ID, including deactivated ones.",
  who: "guest",
  response: z.object({ emoji: z.record(z.string(), wireEmoji) }),
  handle: ({ reader }) => ({ emoji: customEmojiOnWire(reader) }),
});

export const postEmoji = endpoint({
  route: "POST /realm/emoji/{emoji_name}",
  summary: "Add a custom emoji. The picture is fitted into 64 by 64 pixels, and may be animated.",
  who: "member",
  takesFiles: onePicture,
  params: {
    emoji_name: text().describe(
      "Lower-case letters, digits, dashes, dots, underscores, and spaces, which become underscores.",
    ),
  },
  handle: async ({ viewer, params, files, reader, transact, app }) => {
    aboutParameter("emoji_name", () => allowedEmojiName(reader, viewer, params.emoji_name));
    const { path } = pictureIn(files).content;
    const { still, animated } = await decoded(app.images.emoji(takesTurnsAs(viewer), { path }));
    const pictures = animated ? [animated.bytes, still] : [still];
    await app.files.store(
      pictures.map((content) => ({ kind: "emoji" as const, content })),
      ([picture, besides = null]) =>
        transact((tx) =>
          // The name may have been taken during decoding.
          addCustomEmoji(tx, viewerAsOfNow(tx, viewer), {
            name: params.emoji_name,
            picture: picture as NewFile,
            extension: animated?.format ?? "png",
            still: besides,
          }),
        ),
    );
  },
});

export const deleteEmoji = endpoint({
  route: "DELETE /realm/emoji/{emoji_name}",
  summary: "Deactivate a custom emoji. For its author and administrators. Messages keep it.",
  who: "guest",
  params: { emoji_name: text() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deactivateCustomEmoji(tx, viewer, emojiToDeactivate(tx, viewer, params.emoji_name))),
});
