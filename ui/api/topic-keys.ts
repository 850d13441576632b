/** visibility_policy */
export const [NONE, MUTED] = [0, 1];

/** Topics are the same whatever their letter case. */
export const topicKey = (streamId: number, topic: string) => `${streamId} ${topic.normalize("NFC").toLowerCase()}`;
