import packageJson from "../package.json" with { type: "json" };

/** The version and feature level of the public protocol that clients can rely on (docs/protocol.md#feature-level). */
export const ZULIP_VERSION = "11.0";
export const FEATURE_LEVEL = 412;
/** The release on which the server is based: the version itself, since Hearth is not a fork. */
export const ZULIP_MERGE_BASE = "11.0";

/** Hearth's own version, from package.json. */
export const VERSION: string = packageJson.version;
