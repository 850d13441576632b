import type { ImageFormat } from "./tasks.ts";

/** The facts of a picture that determine the cost of decoding. */
export interface Header {
  format: ImageFormat;
  /** Per frame. */
  pixels: number;
  bands: number;
  bytesPerSample: number;
  /** The color space, as libvips names it. */
  interpretation: string;
  /** PNG: interlaced. JPEG: progressive. */
  interlaced: boolean;
  /** JPEG: the number of scans of a progressive picture. Each scan covers all pixels. */
  scans: number;
  fileBytes: number;
}

/**
 * The maximum cost of decoding a picture, in milliseconds. The rates below are CPU time of one AMD EPYC core for the
 * slowest pictures of each kind (noise, the most expensive filters), so most pictures take less.
 */
export const MAX_COST_MS = 1500;

const CHEAP_COLORS = new Set(["srgb", "b-w", "rgb16", "grey16"]);
const BETWEEN_COLORS_MS = 45;
const FROM_CMYK_MS = 120;
const ALPHA_MS = 12;

/** Estimates the cost of decoding one frame from the header. */
export function costMs(header: Header): number {
  const { bands, interpretation, pixels, fileBytes } = header;
  const { perMegapixel, perMegabyte } = RATES[header.format](header);
  const alpha = interpretation !== "cmyk" && (bands === 2 || bands === 4) ? ALPHA_MS : 0;
  const colors = CHEAP_COLORS.has(interpretation) ? 0 : interpretation === "cmyk" ? FROM_CMYK_MS : BETWEEN_COLORS_MS;
  return ((perMegapixel + alpha + colors) * pixels + perMegabyte * fileBytes) / 1e6;
}

interface Rate {
  perMegapixel: number;
  /** Per megabyte of the file: incompressible pictures take longer to decode. */
  perMegabyte: number;
}

const RATES: Readonly<Record<ImageFormat, (header: Header) => Rate>> = {
  png: ({ bands, bytesPerSample, interlaced }) => ({
    perMegapixel: (3 + 2.5 * bands * bytesPerSample) * (interlaced ? 2.5 : 1),
    perMegabyte: 5,
  }),
  jpeg: ({ interlaced, scans }) =>
    interlaced ? { perMegapixel: 2 + 1.2 * scans, perMegabyte: 60 } : { perMegapixel: 3, perMegabyte: 30 },
  webp: () => ({ perMegapixel: 15, perMegabyte: 80 }),
  avif: () => ({ perMegapixel: 110, perMegabyte: 280 }),
  tiff: ({ bands, bytesPerSample }) => ({ perMegapixel: 5 + 2.8 * bands * bytesPerSample, perMegabyte: 40 }),
  gif: () => ({ perMegapixel: 10, perMegabyte: 30 }),
};

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** The number of scans of a JPEG. Scans of thumbnails in its metadata count too, which overestimates the cost. */
export function scansOf(jpeg: Uint8Array): number {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let scans = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 2)) scans += 1;
  return scans;
}
