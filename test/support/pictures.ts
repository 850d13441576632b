import type { TestContext } from "node:test";
import workerThreads, { type Worker } from "node:worker_threads";
import { crc32, deflateSync } from "node:zlib";
import loadVips from "wasm-vips";

export type PictureFormat = "png" | "jpg" | "gif" | "webp" | "avif" | "tif";

export interface PictureOptions {
  width: number;
  height: number;
  frames?: number;
  /** Milliseconds per frame. */
  delay?: number[];
  /** EXIF orientation, 1 to 8. */
  orientation?: number;
  /** A text for EXIF and XMP. It also adds a color profile. */
  secret?: string;
  /** JPEG only. */
  progressive?: boolean;
}

/** Its threads end neither on their own nor with `shutdown`, and it sets TMPDIR. */
async function startVips() {
  const { TMPDIR } = process.env;
  const started = new Set<Worker>();
  const { Worker: Original } = workerThreads;
  workerThreads.Worker = class extends Original {
    constructor(...given: ConstructorParameters<typeof Original>) {
      super(...given);
      started.add(this);
    }
  };
  const vips = await loadVips({ dynamicLibraries: ["vips-heif.wasm"] });
  workerThreads.Worker = Original;
  const end = async () => {
    vips.shutdown();
    if (TMPDIR === undefined) Reflect.deleteProperty(process.env, "TMPDIR");
    await Promise.all([...started].map((one) => one.terminate()));
  };
  return { vips, end };
}

/**
 * Creates pictures with the server's decoder. The left half is black and the right half white, so that tests can
 * recognize rotation, cropping and truncation.
 */
export async function pictureMaker(t: TestContext) {
  const { vips, end } = await startVips();
  t.after(end);
  vips.Cache.max(0);
  const frame = ({ width, height }: PictureOptions, grey: number) =>
    vips.Image.black(Math.floor(width / 2), height, { bands: 3 })
      .join(
        vips.Image.black(Math.ceil(width / 2), height, { bands: 3 })
          .invert()
          .subtract(grey)
          .cast("uchar"),
        "horizontal",
      )
      .copy({ interpretation: "srgb" });
  return {
    make(format: PictureFormat, options: PictureOptions): Uint8Array {
      const { height, frames = 1, delay, orientation, secret, progressive } = options;
      const all = Array.from({ length: frames }, (_, index) => frame(options, (index * 30) % 240));
      const image = frames === 1 ? (all[0] as (typeof all)[0]) : vips.Image.arrayjoin(all, { across: 1 }).copy();
      if (frames > 1) image.setInt("page-height", height);
      if (delay) image.setArrayInt("delay", delay);
      if (orientation) image.setInt("orientation", orientation);
      if (secret) {
        image.setString("exif-ifd0-Artist", `${secret} (${secret}, ASCII, ${secret.length + 1} components)`);
        image.setString("exif-ifd3-GPSAreaInformation", secret);
        image.setBlob("xmp-data", Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`));
        image.setBlob("icc-profile-data", vips.Image.profileLoad("srgb"));
      }
      return Uint8Array.from(
        image.writeToBuffer(`.${format}`, {
          ...(secret && { keep: vips.ForeignKeep.all }),
          ...(progressive && { interlace: true }),
        }),
      );
    },
    /** The red of a pixel of the first frame, 0 to 255. */
    redAt(bytes: Uint8Array, x: number, y: number): number {
      return vips.Image.newFromBuffer(bytes).getpoint(x, y)[0] as number;
    },
    alphaAt(bytes: Uint8Array, x: number, y: number): number {
      return vips.Image.newFromBuffer(bytes).getpoint(x, y)[3] as number;
    },
    /** Milliseconds per frame. */
    delaysOf(bytes: Uint8Array): number[] {
      return vips.Image.newFromBuffer(bytes, "n=-1").getArrayInt("delay");
    },
    /** EXIF orientation, 1 to 8. */
    orientationOf(bytes: Uint8Array): number {
      const image = vips.Image.newFromBuffer(bytes);
      return image.getTypeof("orientation") === 0 ? 1 : image.getInt("orientation");
    },
    /** All stored pixels. */
    pixelsOf(bytes: Uint8Array): Uint8Array {
      return new Uint8Array(vips.Image.newFromBuffer(bytes, "").writeToMemory());
    },
    /** The names of the metadata that a picture carries. */
    fieldsOf(bytes: Uint8Array): string[] {
      const fields = vips.Image.newFromBuffer(bytes).getFields();
      return Array.from({ length: fields.size() }, (_, index) => String(fields.get(index)));
    },
  };
}

/** Bits per sample and color type of a PNG (0: grey, 2: RGB, 6: RGBA). */
export interface PngPixels {
  depth?: number;
  color?: 0 | 2 | 6;
  interlaced?: boolean;
}

/** A PNG with these dimensions in its header and `rows` black rows; one bit per pixel by default. */
export function pngOf(
  width: number,
  height: number,
  rows: number,
  { depth = 1, color = 0, interlaced = false }: PngPixels = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, Number(interlaced)], 8);
  const samples = { 0: 1, 2: 3, 6: 4 }[color];
  const pixels = deflateSync(Buffer.alloc((Math.ceil((width * samples * depth) / 8) + 1) * rows));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
