import packageJson from "../package.json" with { type: "json" };

/** The protocol version and feature level for clients (docs/protocol.md#feature-level). */
export const ZULIP_VERSION = "11.0";
export const FEATURE_LEVEL = 421;
/** Equals the version, because Hearth is not a fork. */
export const ZULIP_MERGE_BASE = "11.0";

export const VERSION: string = packageJson.version;
