/** The text field of the composer. */
export const COMPOSER_ID = "composer";

/** The composer's field for the topic. */
export const TOPIC_ID = "composer-topic";
