import packageJson from "../package.json" with { type: "json" };

/** The version and feature level of the public protocol that clients may count on (docs/protocol.md#feature-level). */
export const ZULIP_VERSION = "11.0";
export const FEATURE_LEVEL = 412;
/** The release that this server's protocol is based on: not a fork of anything, so the version itself. */
export const ZULIP_MERGE_BASE = "11.0";

/** Hearth's own version, from package.json. */
export const VERSION: string = packageJson.version;
