/** Touch is the only pointer: a focused field would open a keyboard over the page. */
export const IS_TOUCHED = window.matchMedia("(hover: none) and (pointer: coarse)").matches;
