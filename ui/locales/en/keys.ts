/** Keyboard shortcuts of the admin window. */
export const keyTexts = {
  keys: {
    title: "Keyboard shortcuts",
    everywhere: "Everywhere",
    inLists: "In lists",
    palette: "Find and open anything",
    search: "Search the list, or the settings",
    undo: "Undo the last saved change while its notification is shown",
    help: "Show keyboard shortcuts",
    next: "Next row",
    previous: "Previous row",
    first: "First and last row",
    open: "Open the row",
    select: "Select the row to change several at once",
    close: "Close whatever is open",
  },
} as const;
