import { z } from "zod";
import { registerPart } from "./register-part.ts";

const none = z.array(z.never());
const emptyMap = z.record(z.string(), z.never());

/**
 * Parts of /register for what Hearth does not have: clients expect the fields, so they are there and empty. Whoever
 * adds one of these nouns moves its part to the noun's own presenter.
 */
export const registerParts = {
  giphy: registerPart({ giphy_api_key: z.string() }, () => ({ giphy_api_key: "" })),
  push_device: registerPart({ push_devices: emptyMap }, () => ({ push_devices: {} })),
  realm_billing: registerPart({ realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }) }, () => ({
    realm_billing: { has_pending_sponsorship_request: false },
  })),
  stop_words: registerPart({ stop_words: none }, () => ({ stop_words: [] })), // search leaves out no word
  video_calls: registerPart({ has_zoom_token: z.boolean() }, () => ({ has_zoom_token: false })),
};
