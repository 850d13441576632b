import fs, { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import loadVips from "wasm-vips";
import { imageFormat } from "../file-types.ts";
import { costMs, MAX_COST_MS, scansOf } from "./header.ts";
import {
  EMOJI_PIXELS,
  type EmojiPicture,
  type ImageAnswer,
  type ImageFormat,
  type ImageInfo,
  type ImageResults,
  type ImageSource,
  type ImageTask,
  MAX_ANIMATED_THUMBNAIL_PIXELS,
  MAX_ANIMATION_FRAMES,
  MAX_ANIMATION_PIXELS,
  MAX_EMOJI_FRAMES,
  MAX_IMAGE_BYTES,
  MAX_IMAGE_PIXELS,
  type Refusal,
  type Thumbnail,
  type ThumbnailFormat,
} from "./tasks.ts";

// The thread that decodes pictures (docs/architecture.md#pictures). Its decoder is libvips as WebAssembly, and its input
// may be an attack. So its memory is limited, it reads only the formats below, and it cannot use files. The server ends
// the thread if a picture takes too long.

/** 512 MB, in WebAssembly pages of 64 kB. */
const MAX_MEMORY_PAGES = 8192;
const LOADERS = ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}`);
const JPEG_QUALITY = 80;
const WEBP_QUALITY = 75;
/** 0 to 6. Above 2 a thumbnail takes much longer and is hardly smaller. */
const WEBP_EFFORT = 2;
/** 1 to 10. The usual 7 takes ten times as long for an emoji that looks the same. */
const GIF_EFFORT = 1;
/** Smaller pictures are decoded for each size, so that a small size is never created from an enlarged one. */
const DECODED_ONCE_PIXELS = 1_000_000;
const TRANSPARENT = [0, 0, 0, 0];

type Vips = Awaited<ReturnType<typeof loadVips>>;
type Image = InstanceType<Vips["Image"]>;

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

let memory: WebAssembly.Memory | undefined;
const vips = await startedVips();
const memoryAtStart = memory?.buffer.byteLength ?? 0;

parentPort?.on("message", ({ source, task }: { source: ImageSource; task: ImageTask }) => {
  const answer = answerTo(source, task);
  parentPort?.postMessage({ ...answer, hasGrown: (memory?.buffer.byteLength ?? 0) > memoryAtStart } as ImageAnswer);
});

async function startedVips(): Promise<Vips> {
  // The module requests up to 2 GB and has no option for less.
  const Unbounded = WebAssembly.Memory;
  WebAssembly.Memory = class extends Unbounded {
    constructor(asked: WebAssembly.MemoryDescriptor) {
      super({ ...asked, maximum: Math.min(asked.maximum ?? MAX_MEMORY_PAGES, MAX_MEMORY_PAGES) });
      memory = this;
    }
  };
  const started = await loadVips({
    dynamicLibraries: ["vips-heif.wasm"],
    // Warnings about a picture do not belong in the terminal.
    print: () => {},
    printErr: () => {},
    preRun: (module) => {
      // The module opens the three standard streams, which a Windows program without a console lacks.
      module.noFSInit = true;
      module.ENV.VIPS_CONCURRENCY = "1";
      module.ENV.VIPS_DISC_THRESHOLD = "100g"; // never a temporary file
      module.ENV.VIPS_WARNING = "0";
    },
  });
  started.Cache.max(0);
  started.operationBlock("VipsForeignLoad", true);
  for (const loader of LOADERS) started.operationBlock(loader, false);
  closeDisk();
  return started;
}

/**
 * The module's system calls use Node's file functions. From here on all of them fail, so that an exploited decoder
 * cannot use files. This thread's own imports are already bound.
 */
function closeDisk(): void {
  const refuse = () => {
    throw Object.assign(new Error("The decoder may not use files."), { code: "EPERM" });
  };
  for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(fs)))
    if (typeof value === "function" && writable) Object.assign(fs, { [name]: refuse });
}

function answerTo(
  source: ImageSource,
  task: ImageTask,
): { result: ImageResults[keyof ImageResults] } | { refusal: Refusal } {
  try {
    const bytes = "bytes" in source ? source.bytes : contentOf(source.path);
    asStillAvif(bytes);
    const info = infoOf(bytes);
    return { result: resultOf(task, bytes, info) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    // Errors of vips have only a message.
    return { refusal: /out of memory/i.test(String(error)) ? "too-large" : "not-an-image" };
  }
}

/**
 * libvips does not recognize animated AVIF by its first brand. Such a file has a still picture too, which is read if the
 * file names the brand of still pictures.
 */
function asStillAvif(bytes: Uint8Array): void {
  if (imageFormat(bytes) === "avif") bytes.set(Buffer.from("avif"), 8);
}

function resultOf(task: ImageTask, bytes: Uint8Array, info: ImageInfo): ImageResults[keyof ImageResults] {
  switch (task.kind) {
    case "info":
      return info;
    case "thumbnail":
      return thumbnailOf(bytes, info, task.to);
    case "squares":
      return squaresOf(bytes, info, task.sizes);
    case "contained":
      return encoded(scaled(bytes, task.width, { height: task.height, size: "down" }), ".png");
    case "emoji":
      return emojiOf(bytes, info);
  }
}

function contentOf(path: string): Uint8Array {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    throw new Refused("missing");
  }
  try {
    const { size } = fstatSync(file);
    if (size > MAX_IMAGE_BYTES) throw new Refused("too-large");
    const bytes = new Uint8Array(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read)
      read = readSync(file, bytes, length, size - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Reads only the header, and refuses expensive pictures before they are decoded. */
function infoOf(bytes: Uint8Array): ImageInfo {
  const format = imageFormat(bytes);
  if (!format) throw new Refused("not-an-image");
  if (bytes.length > MAX_IMAGE_BYTES) throw new Refused("too-large");
  return using(vips.Image.newFromBuffer(bytes, "", { access: "sequential" }), (image) => {
    const { width, height } = image;
    if (width * height > MAX_IMAGE_PIXELS || costOf(image, format, bytes) > MAX_COST_MS) throw new Refused("too-large");
    const isOnItsSide = isTurnedByExif(format) && numberIn(image, "orientation", 1) >= 5;
    return {
      format,
      width: isOnItsSide ? height : width,
      height: isOnItsSide ? width : height,
      frames: canMove(format) ? numberIn(image, "n-pages", 1) : 1,
    };
  });
}

function costOf(image: Image, format: ImageFormat, bytes: Uint8Array): number {
  const interlaced = image.getTypeof("interlaced") !== 0;
  return costMs({
    format,
    pixels: image.width * image.height,
    bands: image.bands,
    bytesPerSample: BYTES_PER_SAMPLE[String(image.format)] ?? 16,
    interpretation: String(image.interpretation),
    interlaced,
    scans: format === "jpeg" && interlaced ? scansOf(bytes) : 1,
    fileBytes: bytes.length,
  });
}

const BYTES_PER_SAMPLE: Readonly<Record<string, number>> = {
  ...{ uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4 },
  ...{ float: 4, complex: 8, double: 8, dpcomplex: 16 },
};

/** Browsers ignore the EXIF orientation of a WebP, and show the original file as it is. */
const isTurnedByExif = (format: ImageFormat | undefined): boolean => format !== "webp";

/** Pages of a TIFF are not frames. */
const canMove = (format: ImageFormat): boolean => format === "gif" || format === "webp";

const numberIn = (image: Image, field: string, otherwise: number): number =>
  image.getTypeof(field) === 0 ? otherwise : image.getInt(field);

function thumbnailOf(bytes: Uint8Array, info: ImageInfo, to: ThumbnailFormat): Thumbnail {
  const frames = to.animated ? framesToDecode(info) : 1;
  const box = boxOf(info, to, frames);
  const image = scaled(bytes, box.width, { height: box.height, size: "down", frames });
  const [width, height] = [image.width, numberIn(image, "page-height", image.height)];
  const options = { webp: { Q: WEBP_QUALITY, effort: WEBP_EFFORT }, jpg: { Q: JPEG_QUALITY }, png: {} }[to.format];
  return { bytes: encoded(image, `.${to.format}`, options), width, height };
}

/** The box of a thumbnail. It is smaller if all frames together would exceed the limit. */
function boxOf(info: ImageInfo, { max_width, max_height }: ThumbnailFormat, frames: number) {
  const scale = Math.min(1, max_width / info.width, max_height / info.height);
  const pixels = info.width * scale * info.height * scale * frames;
  if (frames === 1 || pixels <= MAX_ANIMATED_THUMBNAIL_PIXELS) return { width: max_width, height: max_height };
  const smaller = scale * Math.sqrt(MAX_ANIMATED_THUMBNAIL_PIXELS / pixels);
  return {
    width: Math.max(1, Math.floor(info.width * smaller)),
    height: Math.max(1, Math.floor(info.height * smaller)),
  };
}

/** Decodes a large picture once, for the largest size, and scales that down for the others. */
function squaresOf(bytes: Uint8Array, { width, height }: ImageInfo, sizes: readonly number[]): Uint8Array[] {
  const square = (size: number) => ({ height: size, crop: "centre" as const, size: "both" as const });
  if (sizes.length === 1 || width * height <= DECODED_ONCE_PIXELS)
    return sizes.map((size) => encoded(scaled(bytes, size, square(size)), ".png"));
  const largest = Math.max(...sizes);
  return using(scaled(bytes, largest, square(largest)), (decoding) =>
    using(decoding.copyMemory(), (image) =>
      sizes.map((size) => encoded(size === largest ? image.copy() : image.thumbnailImage(size, square(size)), ".png")),
    ),
  );
}

function emojiOf(bytes: Uint8Array, info: ImageInfo): EmojiPicture {
  const still = encoded(squareWithMargin(scaledToEmoji(bytes, 1)), ".png");
  if (info.frames === 1) return { still };
  const format = info.format === "gif" ? "gif" : "webp";
  const options = format === "webp" ? { Q: WEBP_QUALITY, effort: WEBP_EFFORT } : { effort: GIF_EFFORT };
  const moving = squareWithMargin(scaledToEmoji(bytes, Math.min(framesToDecode(info), MAX_EMOJI_FRAMES)));
  return { still, animated: { bytes: encoded(moving, `.${format}`, options), format } };
}

const scaledToEmoji = (bytes: Uint8Array, frames: number): Image =>
  scaled(bytes, EMOJI_PIXELS, { height: EMOJI_PIXELS, size: "both", frames });

/** Frames are below one another in one tall image. Each gets a margin that makes it square. */
function squareWithMargin(image: Image): Image {
  const height = numberIn(image, "page-height", image.height);
  if (image.width === EMOJI_PIXELS && height === EMOJI_PIXELS) return image;
  return using(image, () =>
    using(image.hasAlpha() ? image.copyMemory() : image.addalpha().copyMemory(), (whole) => {
      const frames: Image[] = [];
      for (let top = 0; top < whole.height; top += height)
        frames.push(
          whole
            .crop(0, top, whole.width, height)
            .gravity("centre", EMOJI_PIXELS, EMOJI_PIXELS, { extend: "background", background: TRANSPARENT }),
        );
      const joined = vips.Image.arrayjoin(frames, { across: 1 });
      for (const frame of frames) frame.delete();
      joined.setInt("page-height", EMOJI_PIXELS);
      return joined;
    }),
  );
}

const framesToDecode = ({ width, height, frames }: ImageInfo): number =>
  Math.max(1, Math.min(frames, MAX_ANIMATION_FRAMES, Math.floor(MAX_ANIMATION_PIXELS / (width * height))));

/**
 * The picture upright and in sRGB, since its metadata is removed. Refuses broken pictures, and truncated ones that may
 * lack most of their data.
 */
function scaled(
  bytes: Uint8Array,
  width: number,
  { frames = 1, ...options }: { frames?: number; [name: string]: unknown },
): Image {
  const option_string = `fail_on=error${frames > 1 ? `,n=${frames}` : ""}`;
  const no_rotate = !isTurnedByExif(imageFormat(bytes));
  return vips.Image.thumbnailBuffer(bytes, width, { output_profile: "srgb", no_rotate, ...options, option_string });
}

/** Omits metadata, which may contain the location. */
const encoded = (image: Image, suffix: string, options: object = {}): Uint8Array =>
  using(image, () => image.writeToBuffer(suffix, { ...options, keep: vips.ForeignKeep.none }));

/** Deletes the image after use, since the module has no garbage collection. */
function using<T>(image: Image, use: (image: Image) => T): T {
  try {
    return use(image);
  } finally {
    image.delete();
  }
}
