/** What is cut out of a picture: how much it is enlarged (1: as much as fits), and its middle as shares of what is free. */
export interface Crop {
  readonly zoom: number;
  /** 0 to 1: at the left, to at the right. */
  readonly x: number;
  readonly y: number;
}

/** The square that is cut out, in pixels of the picture. */
export function cropped(width: number, height: number, { zoom, x, y }: Crop) {
  const side = Math.min(width, height) / Math.max(1, zoom);
  return { left: (width - side) * x, top: (height - side) * y, side };
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** The picture was dragged by these shares of the frame's side. */
export function moved(width: number, height: number, crop: Crop, dx: number, dy: number): Crop {
  const { left, top, side } = cropped(width, height, crop);
  const share = (at: number, free: number, before: number) => (free > 0 ? within(at / free) : before);
  return {
    ...crop,
    x: share(left - dx * side, width - side, crop.x),
    y: share(top - dy * side, height - side, crop.y),
  };
}
