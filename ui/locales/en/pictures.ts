/** Pictures in messages, seen large. */
export const pictureTexts = {
  pictures: {
    untitled: "Picture",
    previous: "Previous picture",
    next: "Next picture",
    count: "{{at}} of {{count}}",
    original: "Open the original",
  },
} as const;
