import { useState } from "react";

const KEY = "hearth-format-bar";

/** Whether the formatting buttons are visible; stored in the browser. */
export function useFormatsShown(): [boolean, () => void] {
  const [isShown, setShown] = useState(read);
  const toggle = () => {
    write(!isShown);
    setShown(!isShown);
  };
  return [isShown, toggle];
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === "true";
  } catch {
    return false; // storage may be forbidden
  }
}

function write(value: boolean): void {
  try {
    localStorage.setItem(KEY, String(value));
  } catch {} // storage is forbidden: kept until the page closes
}
