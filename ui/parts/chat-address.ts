/** Encodes a text for a URL of the chat page, in the form of the public web client. */
export const encodeInAddress = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

// URLs of the chat page by ids alone.

export const directAddress = (userId: number): string => `/#narrow/dm/${userId}-dm`;
export const channelAddress = (channelId: number): string => `/#narrow/channel/${channelId}`;
export const topicAddress = (channelId: number, topic: string): string =>
  `${channelAddress(channelId)}/topic/${encodeInAddress(topic)}`;
