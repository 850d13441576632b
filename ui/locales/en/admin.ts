/** The admin window: what stands around its pages, and the parts they share. */
export const adminTexts = {
  shell: {
    skip: "To the page",
    menu: "Pages",
    pages: "Pages",
    search: "Search",
    paletteHint: "A person, a channel, a setting, a page…",
    paletteEmpty: "Nothing has this name.",
    notices: "Notices",
    openChat: "Open the chat",
    noSuchPage: "There is no such page",
    noSuchPageHint: "The address may be old, or a piece of it got lost.",
  },
  nav: {
    sections: {
      status: "Is it up?",
    },
    overview: "Overview",
  },
  table: {
    search: "Search",
    searchIn: "Search {{title}}",
    count_one: "{{count, number}} entry",
    count_other: "{{count, number}} entries",
    countOf: "{{shown, number}} of {{count, number}}",
    none: "Nothing fits what you look for.",
    clear: "Show all",
    selectAll: "Select all",
    select: "Select {{name}}",
    selected_one: "{{count, number}} selected",
    selected_other: "{{count, number}} selected",
    deselect: "Select none",
  },
  details: {
    close: "Close the details",
  },
  form: {
    cancel: "Cancel",
    discard: "Discard",
    discardTitle: "Discard what you have entered?",
    discardHint: "It has not been saved.",
    goOn: "Go on",
  },
  saving: {
    savedNamed: "Saved: {{name}}",
    undo: "Undo",
    undone: "Undone",
    failed: "Not saved: {{reason}}",
    dismiss: "Dismiss",
  },
  confirm: {
    type: "To confirm, type {{name}}",
    cancel: "Cancel",
  },
} as const;
