import { z } from "zod";
import { integer } from "../../http/params.ts";
import { attachmentToDelete } from "../access/attachments.ts";
import { deleteAttachment } from "../actions/attachments.ts";
import { attachmentOnWire, wireAttachment } from "../presenters/attachments.ts";
import { attachmentsOf, uploadSpaceUsed } from "../queries/attachments.ts";
import { endpoint } from "./endpoint.ts";

export const getAttachments = endpoint({
  route: "GET /attachments",
  summary: "One's own uploads, newest first, with the messages that hold them.",
  who: "member",
  guests: true,
  response: z.object({
    attachments: z.array(wireAttachment),
    upload_space_used: z.int().describe("What all uploads of the organization take up, in bytes."),
  }),
  handle: ({ viewer, reader }) => ({
    attachments: attachmentsOf(reader, viewer.id).map((attachment) => attachmentOnWire(reader, attachment)),
    upload_space_used: uploadSpaceUsed(reader),
  }),
});

export const removeAttachment = endpoint({
  route: "DELETE /attachments/{attachment_id}",
  summary: "Delete an upload of one's own; messages keep their links to it.",
  who: "member",
  guests: true,
  params: { attachment_id: integer() },
  handle: async ({ viewer, params, transact, app }) => {
    const files = transact((tx) => deleteAttachment(tx, attachmentToDelete(tx, viewer, params.attachment_id)));
    await app.files.remove(files);
    return {};
  },
});
