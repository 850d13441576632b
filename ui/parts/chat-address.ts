/** A text in an address of the chat page, as the public web client writes it. */
export const encodeInAddress = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

// Addresses of the chat page, for who knows only ids.

export const directAddress = (userId: number): string => `/#narrow/dm/${userId}-dm`;
export const channelAddress = (channelId: number): string => `/#narrow/channel/${channelId}`;
export const topicAddress = (channelId: number, topic: string): string =>
  `${channelAddress(channelId)}/topic/${encodeInAddress(topic)}`;
