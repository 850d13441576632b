/** The selected square of a picture. Zoom 1 is the largest square; x and y are shares of the free space. */
export interface Crop {
  readonly zoom: number;
  /** 0 is left, 1 is right. */
  readonly x: number;
  readonly y: number;
}

/** The square in pixels of the picture. */
export function cropped(width: number, height: number, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / Math.max(1, zoom);
  return { left: (width - side) * x, top: (height - side) * y, side };
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** Moves the picture by shares of the frame's side. */
export function moved(width: number, height: number, crop: Crop, dx: number, dy: number): Crop {
  const { left, top, side } = cropped(width, height, crop);
  const share = (at: number, free: number, before: number) => (free > 0 ? within(at / free) : before);
  return {
    ...crop,
    x: share(left - dx * side, width - side, crop.x),
    y: share(top - dy * side, height - side, crop.y),
  };
}
