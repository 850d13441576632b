/** The admin window: its keys. */
export const keyTexts = {
  keys: {
    title: "Keys of this window",
    everywhere: "Everywhere",
    inLists: "In lists",
    palette: "Find and open anything",
    search: "Search the list, or the settings",
    undo: "Undo what was saved last, while its notice is there",
    help: "Show these keys",
    next: "The next row",
    previous: "The row before",
    first: "The first and the last row",
    open: "Open the row, to see and edit it",
    select: "Select the row, to change several at once",
    close: "Close what is open",
  },
} as const;
