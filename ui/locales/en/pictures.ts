/** Pictures in messages, seen large. */
export const pictureTexts = {
  pictures: {
    untitled: "Picture",
    previous: "Previous picture",
    next: "Next picture",
    count: "{{at}} of {{count}}",
    toMessage: "To the message",
    original: "Open the original",
  },
} as const;
