import { useEffect } from "react";
import { useChatState } from "../chat-context.ts";
import { shownCount } from "../model/notifications.ts";

const SIDE = 64;
const MAX_SHOWN = 9;

/** The unread count, on the page's icon and on that of an installed app or the desktop app. */
export function Badge() {
  const count = useChatState(shownCount);
  useEffect(() => window.hearthChat?.setUnread(count), [count]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel='icon']");
    if (!link) return;
    const plain = link.dataset["plain"] ?? link.href;
    link.dataset["plain"] = plain;
    const badge = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    badge?.catch(() => {}); // not an installed app
    if (count === 0) {
      link.href = plain;
      return;
    }
    const image = new Image();
    let isCurrent = true;
    image.onload = () => {
      if (isCurrent) link.href = drawn(image, count);
    };
    image.src = plain;
    return () => {
      isCurrent = false;
    };
  }, [count]);
  return null;
}

/** Returns a data: URL, which the Content-Security-Policy allows for images. */
function drawn(image: HTMLImageElement, count: number): string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const width = (SIDE * image.naturalWidth) / image.naturalHeight;
  context.drawImage(image, (SIDE - width) / 2, 0, width, SIDE);
  context.fillStyle = colour("--mantine-color-ember-7");
  context.beginPath();
  context.arc(SIDE - 20, 20, 20, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = colour("--mantine-color-white");
  context.font = "bold 30px sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count), SIDE - 20, 21, 36);
  return canvas.toDataURL();
}
