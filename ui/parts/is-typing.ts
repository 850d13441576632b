/** Whether keys go into a text where the focus is: not in a checkbox or a switch. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable=true]");
