import { z } from "zod";
import { notFound } from "../../errors.ts";
import { Redirect } from "../../http/file-answers.ts";
import { integer, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { viewerAsOfNow } from "../access/authentication.ts";
import { userWithPicture } from "../access/people.ts";
import { assertMayChangeOwn } from "../access/users.ts";
import { setAvatar } from "../actions/avatars.ts";
import { type PictureSize, userPicture } from "../presenters/pictures.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { onePicture, pictureIn, removeReplaced, storeAvatar } from "./uploaded-pictures.ts";

const changedAvatar = z.object({ avatar_url: z.string().describe("Relative to the server.") });

export const postAvatar = endpoint({
  route: "POST /users/me/avatar",
  summary: "Upload the caller's picture, which is cropped to a square.",
  who: "guest",
  takesFiles: onePicture,
  response: changedAvatar,
  handle: async ({ viewer, files, reader, transact, app }) => {
    assertMayChangeOwn(reader, viewer, "avatar");
    const { user, replaced } = await storeAvatar(app, viewer, pictureIn(files), (avatar) =>
      transact((tx) => {
        // The user's rights may have changed during decoding.
        const self = viewerAsOfNow(tx, viewer);
        assertMayChangeOwn(tx, self, "avatar");
        return setAvatar(tx, self, self, avatar);
      }),
    );
    removeReplaced(app, replaced);
    return { avatar_url: userPicture(user) };
  },
});

export const deleteAvatar = endpoint({
  route: "DELETE /users/me/avatar",
  summary: "Remove the caller's picture. A generated one replaces it.",
  who: "guest",
  response: changedAvatar,
  handle: ({ viewer, transact, app }) => {
    const { user, replaced } = transact((tx) => {
      assertMayChangeOwn(tx, viewer, "avatar");
      return setAvatar(tx, viewer, viewer, null);
    });
    removeReplaced(app, replaced);
    return { avatar_url: userPicture(user) };
  },
});

/**
 * An ID always leads to a picture: hidden and missing users get the generated one. A hidden email address counts as
 * missing.
 */
function addressOf(reader: Reader, viewer: User, named: number | string, size: PictureSize): Redirect {
  const user = userWithPicture(reader, viewer, named);
  if (!user && typeof named === "string") throw notFound("user_not_found");
  return new Redirect(userPicture(user ?? { id: named as number, avatar_version: 1 }, size));
}

const readable = { who: "guest", spectators: true, outsideApi: true, sendsFile: true } as const;
const user_id = integer({ min: 1 });

export const getAvatar = endpoint({
  route: "GET /avatar/{user_id}",
  summary: "Redirect to a user's picture.",
  ...readable,
  params: { user_id },
  handle: ({ viewer, params, reader }) => addressOf(reader, viewer, params.user_id, "small"),
});

export const getMediumAvatar = endpoint({
  route: "GET /avatar/{user_id}/medium",
  summary: "Redirect to a user's larger picture.",
  ...readable,
  params: { user_id },
  handle: ({ viewer, params, reader }) => addressOf(reader, viewer, params.user_id, "medium"),
});

export const getAvatarByEmail = endpoint({
  route: "GET /avatar/{email}",
  summary: "Redirect to a user's picture, by login address or API email.",
  ...readable,
  params: { email: text() },
  handle: ({ viewer, params, reader }) => addressOf(reader, viewer, params.email, "small"),
});

export const getMediumAvatarByEmail = endpoint({
  route: "GET /avatar/{email}/medium",
  summary: "Redirect to a user's larger picture, by login address or API email.",
  ...readable,
  params: { email: text() },
  handle: ({ viewer, params, reader }) => addressOf(reader, viewer, params.email, "medium"),
});
