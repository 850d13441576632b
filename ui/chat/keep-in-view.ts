/** A ref for what is chosen in a list: scrolls to it once it is. */
export const keepInView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });
