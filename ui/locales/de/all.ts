import { texts as admin } from "./bundles/admin.ts";
import { texts as adminPages } from "./bundles/admin-pages.ts";
import { texts as chat } from "./bundles/chat.ts";
import { texts as everyPage } from "./bundles/every-page.ts";
import { texts as marking } from "./bundles/marking.ts";
import { texts as ownSettings } from "./bundles/own-settings.ts";
import { texts as trust } from "./bundles/trust.ts";
import { texts as unclearAddress } from "./bundles/unclear-address.ts";

/** Every German text, with the keys of en.ts. */
export const de = {
  ...everyPage,
  ...admin,
  ...adminPages,
  ...chat,
  ...ownSettings,
  ...marking,
  ...unclearAddress,
  ...trust,
};
