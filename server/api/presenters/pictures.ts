import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Reader } from "../../storage/transaction.ts";
import { type OrganizationPictureName, organizationPicture } from "../queries/organization.ts";
import { UPLOADED } from "../queries/pictures.ts";
import type { User } from "../queries/users.ts";

const CELLS = 5;
export type PictureSize = "small" | "medium";
/** Pixels per cell; the margin is half a cell on each side. */
const CELL_PIXELS: Record<PictureSize, number> = { small: 16, medium: 84 };

type Pictured = Pick<User, "id" | "avatar_version"> & Partial<Pick<User, "avatar">>;

/**
 * The URL of a user's picture, relative to the server: the uploaded picture, or else the generated one. Clients insert
 * `-medium` before `.png` for the larger size.
 */
export function userPicture(user: Pictured, size: PictureSize = "small"): string {
  const picture = user.avatar ? `${UPLOADED}/${user.avatar}` : `/generated/user-${user.id}`;
  return `${picture}${size === "medium" ? "-medium" : ""}.png?version=${user.avatar_version}`;
}

export const avatarSource = ({ avatar }: Pick<User, "avatar">): "G" | "U" => (avatar === null ? "G" : "U");

/** The URL of the organization's icon or logo, relative to the server. */
export function organizationPictureUrl(reader: Reader, name: OrganizationPictureName): string {
  const { version, file } = organizationPicture(reader, name);
  return file === null
    ? `/generated/organization.png?version=${version}`
    : `${UPLOADED}/realm/${name}.png?version=${version}`;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The RGB values of a colour that is visible on light and dark pages. */
function colour(hue: number): [number, number, number] {
  const [lightness, reach] = [0.48, 0.25];
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/**
 * A picture generated from a name: a symmetric pattern of 5 by 5 cells (PNG, two colours). PNG, since the mobile
 * clients do not draw SVG. It reads no data, so outsiders cannot use it to find out who exists.
 */
export function generatedPicture(name: string, size: PictureSize): Buffer {
  const digest = createHash("sha256").update(`hearth picture ${name}`).digest();
  const filled = (row: number, column: number) =>
    column >= 0 && column < CELLS && ((digest[2 + row * 3 + Math.min(column, CELLS - 1 - column)] as number) & 1) === 1;
  const cell = CELL_PIXELS[size];
  const width = cell * (CELLS + 1);
  const lineBytes = Math.ceil(width / 8);
  // All lines in a row of cells are equal, so each is drawn once and copied.
  const pixels = Buffer.alloc((lineBytes + 1) * width);
  for (let row = 0; row < CELLS; row++) {
    const line = Buffer.alloc(lineBytes + 1); // the first byte is the filter: none
    for (let x = 0; x < width; x++) {
      if (!filled(row, Math.floor((x - cell / 2) / cell))) continue;
      line[1 + (x >> 3)] = (line[1 + (x >> 3)] as number) | (0x80 >> (x & 7));
    }
    const top = (row + 0.5) * cell;
    for (let y = top; y < top + cell; y++) line.copy(pixels, y * line.length);
  }
  return pngOf(pixels, width, width, colour(digest.readUInt16BE(0) % 360));
}

const LOADING = { width: 96, height: 32, dots: [24, 48, 72], radius: 6 };

/** Three dots: the placeholder until a thumbnail is ready (docs/protocol.md#inline-pictures). */
export function loadingPicture(): Buffer {
  const { width, height, dots, radius } = LOADING;
  const lineBytes = width / 8 + 1;
  const pixels = Buffer.alloc(lineBytes * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!dots.some((dot) => Math.hypot(x - dot, y - height / 2) < radius)) continue;
      const at = y * lineBytes + 1 + (x >> 3);
      pixels[at] = (pixels[at] as number) | (0x80 >> (x & 7));
    }
  return pngOf(pixels, width, height, [150, 150, 160]);
}

/** Lines with one bit per pixel, each preceded by its filter byte. `ones` is the colour of set bits. */
function pngOf(pixels: Buffer, width: number, height: number, ones: readonly number[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const palette = Buffer.from([240, 240, 244, ...ones]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(pixels, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** About 10 MB of the larger pictures. */
const MAX_CACHED = 10_000;

/** Recently requested pictures. They never change. */
export class PictureCache {
  readonly #pictures = new Map<string, Buffer>();

  /** `beforeDrawing` can throw to refuse a picture that is not cached. */
  get(name: string, size: PictureSize, beforeDrawing: () => void): Buffer {
    const key = `${name} ${size}`;
    let picture = this.#pictures.get(key);
    if (picture) {
      this.#pictures.delete(key);
    } else {
      beforeDrawing();
      picture = generatedPicture(name, size);
      if (this.#pictures.size >= MAX_CACHED) this.#pictures.delete(this.#pictures.keys().next().value as string);
    }
    this.#pictures.set(key, picture);
    return picture;
  }
}

/** The extra emoji: Hearth's flame (ui/pictures/icon.svg), 128 × 128 pixels. */
export const EXTRA_EMOJI_PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAIAAAACABAMAAAAxEHz4AAAAMFBMVEVMaXHfe0LffELff0rfe0Lfe0Lfe0HfekHff0Xfe0L/8+bjilXwupf41r" +
    "/96djpoHUlJPjbAAAACXRSTlMAvFAW2Zh48DCQ8WziAAAACXBIWXMAAAsTAAALEwEAmpwYAAADPUlEQVRo3u2ZvW8TMRjG81FC2CKgCLYiJKRu" +
    "kQBVbKmqCmUrMGULdIGVLGQrEhJiI8eR1KSh+zXpfhFiTwaYm6piT/sPtEiIy30Q22ffPbanSnmGqqrOP/y+fj/sl0xmoYUuia6UzdbnqytmgP" +
    "ekbrQ+1yQVI8AqIbtGGyCEfDHcACEGx1BszgBb+oAPs/UGTshXfUBLPwhJoLqRCz291bWgGQJsTcASibRlZgEhlskZ+NrRARTm60lDB7BGAWyd" +
    "cK5RAFLScAG9XiclCwxAIxqXWIBlEAWBVox8qJEQeW496ZTVqyGrDb1aMFfL6BDUc/JxHGAZneLMjUo5eScOUMvJqgAAuvGB/5OIhCXEst+ThA" +
    "DIjQVbHEdwXVn106YgBCB1xWsGJTkAsOFh8FWW6NpQC76SANLDORd+JQNY0I3AkgNaWADWpYC0yhZWgVZZCqhgOfhGCrDAfvpEBrBVmom6Ez4C" +
    "gJJqFeH1WamUC5TUZrMIoKNWSNW8KHBBd6SQT3nBP/fjSCEWBVHQnRzE/rar0s32nH7sb22VMBo6jotndC0OmDjOEZ4N8UPoOo7ABmldFLnA0z" +
    "kaCIJm1JsBTtEGJzjFrzPAoQtGEn+p+eMfgqdjMKG5VOqeEXLhAwauFmDP23oA4LcAAi68CBgHgAEGuMpaMPW2HgIcNiU/SQDXYiHwOwL0NQCh" +
    "+aFcZYBnAa1TZUCPWc/aUEFOgbWAtQE6xikHGAEAOpT3ufXOAZALdDJ94wF9IBtzbCljNUAaA/XNmAc4SEWqMrVQegzymvg6CXAOdFeqrDsJAA" +
    "tpLEmABvJQmyYAoOaa5ESovU/kx2hDF4yxPJDa0BVnKA/lBnTJ6smTqQ5d82LZOMKeHGsyL87bmwVedYcyF5TAqcO+xIKUMUROktAD9MmT5e4W" +
    "kY7RRxfd3f6KPGArDA26P/+vd+E5CnNPiwhnLv7u5IYG308mhye/FAY5+ZR7euoG0p5MN9JenSkPjrbO6Ic2YEdn9EPpufoAj9FtzdFPpOvI/y" +
    "ZEH2/eu6uzPjpF+5X3+yNmN/Y2PobtPAuipfhi/lK8Vcan+ZvztlG8//QmIevLL/EZ3Lv17cxCC11K/QMBbg6Z72norgAAAABJRU5ErkJggg==",
  "base64",
);
