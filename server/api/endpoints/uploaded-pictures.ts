import type { App } from "../../app.ts";
import { ApiError, badRequest, problem } from "../../errors.ts";
import { unavailable } from "../../http/envelope.ts";
import type { ReceivedFile } from "../../http/multipart.ts";
import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import { ImageRefused, ImagesBusy, ImagesClosed } from "../../media/images/images.ts";
import type { AvatarFiles } from "../actions/avatars.ts";
import { MAX_PICTURE_MIB } from "../presenters/organization.ts";
import type { User } from "../queries/users.ts";

/** For `takesFiles`: a single picture. */
export const onePicture = {
  limit: () => ({
    bytes: MAX_PICTURE_MIB << 20,
    refusal: () => badRequest("picture_too_large", { max: MAX_PICTURE_MIB }),
  }),
};

/** The field may have any name. Errors: BAD_REQUEST if there is no file. */
export function pictureIn(files: readonly ReceivedFile[]): ReceivedFile {
  const [picture] = files;
  if (!picture) throw badRequest("picture_missing");
  return picture;
}

const REFUSALS = {
  "not-an-image": "picture_unreadable",
  "too-large": "picture_too_many_pixels",
  "too-slow": "picture_decoding_too_slow",
  missing: "picture_deleted",
} as const;

/** Errors: BAD_IMAGE if the picture cannot be read, SERVER_NOT_READY if too many pictures of the person are pending. */
export async function decoded<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (error) {
    if (error instanceof ImageRefused) throw new ApiError("BAD_IMAGE", problem(REFUSALS[error.refusal]));
    if (error instanceof ImagesBusy) throw unavailable("too_many_pending_pictures");
    if (error instanceof ImagesClosed) throw unavailable("server_stopping");
    throw error;
  }
}

/** In pixels, as clients expect. */
const AVATAR_SIZES = [100, 500];

/** A bot's pictures count for its owner. */
export const takesTurnsAs = ({ id, bot_owner_id }: User): number => bot_owner_id ?? id;

/** Crops the picture to a square and stores both sizes. `commit` writes their rows. Errors: see `decoded`. */
export async function storeAvatar<T>(
  { files, images }: App,
  viewer: User,
  picture: ReceivedFile,
  commit: (avatar: AvatarFiles) => T,
): Promise<T> {
  const squares = await decoded(images.squares(takesTurnsAs(viewer), { path: picture.content.path }, AVATAR_SIZES));
  return files.store(
    squares.map((content) => ({ kind: "avatars" as const, content })),
    ([small, medium]) => commit({ small: small as NewFile, medium: medium as NewFile }),
  );
}

/** Calls `commit` with null if no picture was sent. */
export const storeAvatarIfSent = async <T>(
  app: App,
  viewer: User,
  [picture]: readonly ReceivedFile[],
  commit: (avatar: AvatarFiles | null) => T,
): Promise<T> => (picture ? storeAvatar(app, viewer, picture, commit) : commit(null));

/** Files that cannot be removed now are removed by a chore. */
export const removeReplaced = ({ files }: App, replaced: readonly Pick<StoredFile, "kind" | "name">[]): void =>
  void files.remove(replaced).catch(() => {});
