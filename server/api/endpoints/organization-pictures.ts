import { z } from "zod";
import type { App } from "../../app.ts";
import type { Transact } from "../../http/endpoint.ts";
import { Redirect } from "../../http/file-answers.ts";
import { boolean } from "../../http/params.ts";
import type { NewFile } from "../../media/files/stored-files.ts";
import { administratorAsOfNow } from "../access/users.ts";
import { setOrganizationPicture } from "../actions/organization-pictures.ts";
import { organizationPictureUrl } from "../presenters/pictures.ts";
import type { OrganizationPictureName } from "../queries/organization.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { decoded, onePicture, pictureIn, removeReplaced, takesTurnsAs } from "./uploaded-pictures.ts";

/** In pixels: the icon's sides, and the box for logos. */
const ICON_SIZE = 256;
const LOGO_BOX = { width: 800, height: 100 };

const changedIcon = z.object({ icon_url: z.string().describe("Relative to the server.") });
const night = boolean().describe("The logo for dark pages.");
const logoName = (params: { night: boolean }): OrganizationPictureName => (params.night ? "night_logo" : "logo");

interface PictureCall {
  viewer: User;
  transact: Transact;
  app: App;
}

async function replace({ viewer, transact, app }: PictureCall, name: OrganizationPictureName, png: Uint8Array) {
  const replaced = await app.files.store([{ kind: "organization", content: png }], ([file]) =>
    // The viewer may have lost the role during decoding.
    transact((tx) => setOrganizationPicture(tx, administratorAsOfNow(tx, viewer), name, file as NewFile)),
  );
  removeReplaced(app, replaced);
}

const remove = ({ viewer, transact, app }: PictureCall, name: OrganizationPictureName): void =>
  removeReplaced(
    app,
    transact((tx) => setOrganizationPicture(tx, viewer, name, null)),
  );

export const postIcon = endpoint({
  route: "POST /realm/icon",
  summary: "Upload the organization's icon, which is cropped to a square.",
  who: "administrator",
  takesFiles: onePicture,
  response: changedIcon,
  handle: async (call) => {
    const { path } = pictureIn(call.files).content;
    const [png] = await decoded(call.app.images.squares(takesTurnsAs(call.viewer), { path }, [ICON_SIZE]));
    await replace(call, "icon", png as Uint8Array);
    return { icon_url: organizationPictureUrl(call.reader, "icon") };
  },
});

export const deleteIcon = endpoint({
  route: "DELETE /realm/icon",
  summary: "Remove the organization's icon. A generated one replaces it.",
  who: "administrator",
  response: changedIcon,
  handle: (call) => {
    remove(call, "icon");
    return { icon_url: organizationPictureUrl(call.reader, "icon") };
  },
});

export const getIcon = endpoint({
  route: "GET /realm/icon",
  summary: "Redirect to the organization's icon.",
  who: "guest",
  sendsFile: true,
  handle: ({ reader }) => new Redirect(organizationPictureUrl(reader, "icon")),
});

export const postLogo = endpoint({
  route: "POST /realm/logo",
  summary: "Upload the organization's logo for light or dark pages. It is scaled to at most 800 by 100 pixels.",
  who: "administrator",
  takesFiles: onePicture,
  params: { night },
  handle: async (call) => {
    const { path } = pictureIn(call.files).content;
    const png = await decoded(call.app.images.contained(takesTurnsAs(call.viewer), { path }, LOGO_BOX));
    await replace(call, logoName(call.params), png);
  },
});

export const deleteLogo = endpoint({
  route: "DELETE /realm/logo",
  summary: "Remove the organization's logo for light or dark pages. A generated one replaces it.",
  who: "administrator",
  params: { night },
  handle: (call) => {
    remove(call, logoName(call.params));
  },
});

export const getLogo = endpoint({
  route: "GET /realm/logo",
  summary: "Redirect to the organization's logo.",
  who: "guest",
  sendsFile: true,
  params: { night },
  handle: ({ reader, params }) => new Redirect(organizationPictureUrl(reader, logoName(params))),
});
