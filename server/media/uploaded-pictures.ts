import { buffer } from "node:stream/consumers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { everybodySeesEverybody } from "../api/access/people.ts";
import { organizationPictureUrl, userPicture } from "../api/presenters/pictures.ts";
import { customEmojiByFile } from "../api/queries/emoji.ts";
import { fileByName } from "../api/queries/files.ts";
import { ORGANIZATION_PICTURES, organizationPicture } from "../api/queries/organization.ts";
import { avatarAt, UPLOADED } from "../api/queries/pictures.ts";
import { type User, userById } from "../api/queries/users.ts";
import { ApiError, problem } from "../errors.ts";
import type { Store } from "../storage/store.ts";
import type { StoredFiles } from "./files/stored-files.ts";

/** In total. A page of messages requests hundreds of pictures, and all clients request the same ones. */
const MAX_CACHED_BYTES = 24 << 20;

/** Recently requested pictures by file name. Files never change. */
class RecentPictures {
  readonly #pictures = new Map<string, Buffer>();
  #bytes = 0;

  /** Makes the picture the most recent. */
  get(name: string): Buffer | undefined {
    const picture = this.#pictures.get(name);
    if (!picture) return undefined;
    this.#pictures.delete(name);
    this.#pictures.set(name, picture);
    return picture;
  }

  add(name: string, picture: Buffer): void {
    if (this.#pictures.has(name)) return;
    this.#pictures.set(name, picture);
    this.#bytes += picture.length;
    for (const [oldest, { length }] of this.#pictures) {
      if (this.#bytes <= MAX_CACHED_BYTES) return;
      this.#pictures.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** The response for a path: a file, a redirect, or nothing. */
type Found = { file: string; isLasting: boolean } | { redirect: string } | undefined;

const FILE = "[\\da-f]{32}";
const AVATAR = new RegExp(`^(${FILE})(-medium)?\\.png$`);
const ORGANIZATION = new RegExp(`^realm/(${ORGANIZATION_PICTURES.join("|")})\\.png$`);
const EMOJI = new RegExp(`^emoji/images/(${FILE})\\.([a-z]+)$`);
const STILL_EMOJI = new RegExp(`^emoji/images/still/(${FILE})-still\\.png$`);

const TYPES: Readonly<Record<string, string>> = { png: "image/png", gif: "image/gif", webp: "image/webp" };

/**
 * Serves the pictures of people, of the organization and of its emoji (docs/protocol.md#pictures). They need no sign-in,
 * since clients request them without it, and no rate limit, since a page of messages requests hundreds. The URLs of
 * people's and emoji's pictures cannot be guessed.
 */
export function addUploadedPictures(
  fastify: FastifyInstance,
  { store, files }: { store: Pick<Store, "reader" | "durable">; files: StoredFiles },
): void {
  const { reader } = store;
  const recent = new RecentPictures();

  function avatar(token: string, isMedium: boolean): Found {
    const picture = avatarAt(reader, token);
    if (!picture) return undefined;
    if (picture.medium !== null) return { file: isMedium ? picture.medium : token, isLasting: true };
    // The current picture, unless some people may no longer see its owner.
    const owner = userById(reader, picture.user_id) as User;
    const shown = everybodySeesEverybody(reader) ? owner : { ...owner, avatar: null };
    return { redirect: userPicture(shown, isMedium ? "medium" : "small") };
  }

  function find(path: string, query: string): Found {
    const [, token, medium] = AVATAR.exec(path) ?? [];
    if (token) return avatar(token, medium !== undefined);
    const name = ORGANIZATION_PICTURES.find((one) => one === ORGANIZATION.exec(path)?.[1]);
    if (name) {
      const { version, file } = organizationPicture(reader, name);
      if (file === null) return { redirect: organizationPictureUrl(reader, name) };
      return { file, isLasting: query === `version=${version}` };
    }
    const [, emojiFile, extension] = EMOJI.exec(path) ?? [];
    const emoji = emojiFile ? customEmojiByFile(reader, emojiFile) : undefined;
    if (emoji && emoji.extension === extension) return { file: emoji.file, isLasting: true };
    const still = customEmojiByFile(reader, STILL_EMOJI.exec(path)?.[1] ?? "")?.still;
    return still ? { file: still, isLasting: true } : undefined;
  }

  /** Reads the whole file, so that an error can still change the status. */
  async function contentOf(name: string): Promise<Buffer> {
    const file = fileByName(reader, name);
    if (!file) throw nothingThere();
    const bytes = await buffer(files.read(file)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? nothingThere() : error; // replaced at this moment
    });
    recent.add(name, bytes);
    return bytes;
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = "", query = ""] = (request.raw.url as string).slice(UPLOADED.length + 1).split("?", 2);
    const found = find(path, query);
    // A response must not show state that a crash could undo.
    const pending = store.durable();
    if (pending) await pending;
    if (found && "redirect" in found) return reply.header("cache-control", "no-cache").redirect(found.redirect, 302);
    if (!found) throw nothingThere();
    const bytes = recent.get(found.file) ?? (await contentOf(found.file));
    const etag = `"${found.file}"`;
    const isKnown = request.headers["if-none-match"] === etag;
    return reply
      .status(isKnown ? 304 : 200)
      .type(TYPES[path.slice(path.lastIndexOf(".") + 1)] as string)
      .header("etag", etag)
      .header("cache-control", found.isLasting ? "public, max-age=31536000, immutable" : "no-cache")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(isKnown ? undefined : bytes);
  }

  fastify.get(`${UPLOADED}/*`, serve);
}

const nothingThere = () => new ApiError("BAD_REQUEST", problem("picture_not_found"), {}, { status: 404 });
