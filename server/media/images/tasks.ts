/** Where a picture's bytes are. A file is read on the images' thread, so that a large one costs the server nothing. */
export type ImageSource = { path: string } | { bytes: Uint8Array };

export interface ImageInfo {
  format: ImageFormat;
  /** In pixels, as the picture is looked at: EXIF's orientation is taken into account. */
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
  /** All frames, as the format that they came in; only of a picture that is animated. */
  animated?: { bytes: Uint8Array; format: "gif" | "webp" };
}

/** What the thread is asked, one at a time. */
export type ImageTask =
  | { kind: "info" }
  | { kind: "thumbnail"; to: ThumbnailFormat }
  | { kind: "squares"; sizes: readonly number[] }
  | { kind: "contained"; width: number; height: number }
  | { kind: "emoji" };

/** What each task leads to. */
export interface ImageResults {
  info: ImageInfo;
  thumbnail: Thumbnail;
  squares: Uint8Array[];
  contained: Uint8Array;
  emoji: EmojiPicture;
}

/**
 * Why there is no result:
 * - `not-an-image`: no format that is read, or broken
 * - `too-large`: more bytes, pixels or work than one picture may cost, or more memory than is allowed
 * - `too-slow`: it took longer than is allowed
 * - `missing`: there is no such file
 */
export type Refusal = "not-an-image" | "too-large" | "too-slow" | "missing";

/** The thread's answer to a task. `hasGrown`: the decoder took more memory than it gives back. */
export type ImageAnswer = ({ result: ImageResults[keyof ImageResults] } | { refusal: Refusal }) & { hasGrown: boolean };

/** Larger files are not read. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Of one frame: a hundred million cover what telephones take, and a decoder's memory holds them. */
export const MAX_IMAGE_PIXELS = 100_000_000;
/** Of all frames that are decoded of one animation, in about half a second; later frames are left out. */
export const MAX_ANIMATION_PIXELS = 24_000_000;
export const MAX_ANIMATION_FRAMES = 500;
/** Of all frames of an animated thumbnail, which are encoded in about 1.5 seconds: a long animation gets smaller. */
export const MAX_ANIMATED_THUMBNAIL_PIXELS = 3_000_000;
/** The frames of an animated emoji are encoded in about 1.5 seconds. */
export const MAX_EMOJI_FRAMES = 120;
export const EMOJI_PIXELS = 64;
