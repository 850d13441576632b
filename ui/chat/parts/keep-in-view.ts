/** A ref that scrolls to the selected item of a list. */
export const keepInView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });
