import { z } from "zod";
import { type Fields, type FieldValues, registerPart } from "./register-part.ts";

const none = z.array(z.never());
const emptyMap = z.record(z.string(), z.never());

const constantPart = <F extends Fields>(fields: F, values: FieldValues<F>) =>
  registerPart({ fields, read: () => values, spectators: "same" });

/**
 * Parts of /register for features that Hearth does not have. Clients expect the fields, so they are present and empty. A
 * new feature moves its part to its own presenter.
 */
export const registerParts = {
  giphy: constantPart({ giphy_api_key: z.string() }, { giphy_api_key: "" }),
  push_device: constantPart({ push_devices: emptyMap }, { push_devices: {} }),
  realm_billing: constantPart(
    { realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }) },
    { realm_billing: { has_pending_sponsorship_request: false } },
  ),
  stop_words: constantPart({ stop_words: none }, { stop_words: [] }), // search leaves out no word
  video_calls: constantPart({ has_zoom_token: z.boolean() }, { has_zoom_token: false }),
};
