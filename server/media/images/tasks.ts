/** The thread reads files itself, so that a large file does not block the server. */
export type ImageSource = { path: string } | { bytes: Uint8Array };

export interface ImageInfo {
  format: ImageFormat;
  /** In pixels, after the rotation of EXIF's orientation. */
  width: number;
  height: number;
  /** More than 1: animated. */
  frames: number;
}

export type ImageFormat = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";

export interface ThumbnailFormat {
  /** The box that the thumbnail fits into, in pixels; a smaller picture keeps its size. */
  max_width: number;
  max_height: number;
  format: "webp" | "jpg" | "png";
  /** WebP only. False: the first frame. */
  animated: boolean;
}

export interface Thumbnail {
  bytes: Uint8Array;
  width: number;
  height: number;
}

export interface EmojiPicture {
  /** PNG: the first frame. */
  still: Uint8Array;
  /** All frames in the original format, for animated pictures. */
  animated?: { bytes: Uint8Array; format: "gif" | "webp" };
}

/** A task for the thread, which does one at a time. */
export type ImageTask =
  | { kind: "info" }
  | { kind: "thumbnail"; to: ThumbnailFormat }
  | { kind: "squares"; sizes: readonly number[] }
  | { kind: "contained"; width: number; height: number }
  | { kind: "emoji" };

/** The result of each task. */
export interface ImageResults {
  info: ImageInfo;
  thumbnail: Thumbnail;
  squares: Uint8Array[];
  contained: Uint8Array;
  emoji: EmojiPicture;
}

/**
 * Why there is no result:
 * - `not-an-image`: an unsupported format, or broken
 * - `too-large`: above the limit of bytes, pixels, cost or memory
 * - `too-slow`: above the time limit
 * - `missing`: the file does not exist
 */
export type Refusal = "not-an-image" | "too-large" | "too-slow" | "missing";

/** The thread's response. `hasGrown`: the decoder's memory has grown, and never shrinks. */
export type ImageAnswer = ({ result: ImageResults[keyof ImageResults] } | { refusal: Refusal }) & { hasGrown: boolean };

/** Larger files are not read. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Per frame. Phones take pictures of up to a hundred million pixels, which fit into the decoder's memory. */
export const MAX_IMAGE_PIXELS = 100_000_000;
/** The total of all decoded frames of an animation, which take half a second. Later frames are omitted. */
export const MAX_ANIMATION_PIXELS = 24_000_000;
export const MAX_ANIMATION_FRAMES = 500;
/** The total of all frames of an animated thumbnail, which take 1.5 s to encode. Longer animations get smaller. */
export const MAX_ANIMATED_THUMBNAIL_PIXELS = 3_000_000;
/** The frames of an animated emoji are encoded in about 1.5 seconds. */
export const MAX_EMOJI_FRAMES = 120;
export const EMOJI_PIXELS = 64;
