import { join } from "node:path";
import { app, type NativeImage, nativeImage } from "electron";

/** In the order of the bitmap: blue, green, red, alpha. The color of the unread counts in the chat. */
const DOT = [0x17, 0x4a, 0xad, 0xff] as const;
const BYTES = 4;
const OVERLAY_SIZE = 32;

/** Trays scale pictures badly. The size is 16 points on macOS, and 32 pixels on other systems. */
export function trayPicture({ hasUnread }: { hasUnread: boolean }): NativeImage {
  const size = process.platform === "darwin" ? 16 : 32;
  const picture = nativeImage.createFromPath(join(app.getAppPath(), "ui", "pictures", "icon.png"));
  const icon = picture.resize({ width: size, height: size, quality: "best" });
  if (!hasUnread || icon.isEmpty()) return icon;
  const { width, height } = icon.getSize();
  const bitmap = Buffer.from(icon.toBitmap());
  drawDot(bitmap, width, { x: width * 0.75, y: height * 0.25, radius: width * 0.25 });
  return nativeImage.createFromBitmap(bitmap, { width, height });
}

/** For the button in the Windows taskbar. */
export function unreadDot(): NativeImage {
  const bitmap = Buffer.alloc(OVERLAY_SIZE * OVERLAY_SIZE * BYTES);
  drawDot(bitmap, OVERLAY_SIZE, { x: OVERLAY_SIZE / 2, y: OVERLAY_SIZE / 2, radius: OVERLAY_SIZE / 2 - 2 });
  return nativeImage.createFromBitmap(bitmap, { width: OVERLAY_SIZE, height: OVERLAY_SIZE });
}

interface Circle {
  x: number;
  y: number;
  radius: number;
}

function drawDot(bitmap: Buffer, width: number, { x, y, radius }: Circle): void {
  for (let pixel = 0; pixel * BYTES < bitmap.length; pixel++) {
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    if (Math.hypot(column + 0.5 - x, row + 0.5 - y) <= radius) bitmap.set(DOT, pixel * BYTES);
  }
}
