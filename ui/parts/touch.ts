/** Whether nothing but fingers points here: a field with the focus would bring up a keyboard over the page. */
export const IS_TOUCHED = window.matchMedia("(hover: none) and (pointer: coarse)").matches;
