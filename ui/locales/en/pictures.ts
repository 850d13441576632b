/** Picture viewer. */
export const pictureTexts = {
  pictures: {
    untitled: "Picture",
    previous: "Previous picture",
    next: "Next picture",
    count: "{{at}} of {{count}}",
    toMessage: "Go to message",
    download: "Download",
    original: "Open the original",
  },
} as const;
