import { z } from "zod";
import { badRequest, refusedParameter } from "../../errors.ts";
import { integer, listOf, oneOf, text } from "../../http/params.ts";
import {
  channelsOfGroup,
  channelsToGroup,
  defaultStreamGroupToChange,
  freeGroupName,
} from "../access/default-stream-groups.ts";
import {
  changeChannelsOfGroup,
  changeDefaultStreamGroup,
  createDefaultStreamGroup,
  deleteDefaultStreamGroup,
} from "../actions/default-stream-groups.ts";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../queries/default-stream-groups.ts";
import { endpoint } from "./endpoint.ts";
import { trimmedText } from "./params.ts";

const name = trimmedText().maxLength(MAX_GROUP_NAME_LENGTH);
const description = text().maxLength(MAX_GROUP_DESCRIPTION_LENGTH);
/** Per request: the lookup blocks other requests. */
const MAX_CHANNELS = 500;
const stream_names = listOf(z.string());

function assertNotTooMany(names: readonly string[]): readonly string[] {
  if (names.length > MAX_CHANNELS)
    throw refusedParameter("stream_names", "too_many_channel_names", { count: MAX_CHANNELS });
  return names;
}

export const postDefaultStreamGroup = endpoint({
  route: "POST /default_stream_groups/create",
  summary: "Create a group of channels that new members can subscribe to together.",
  who: "administrator",
  params: { group_name: name, description, stream_names },
  handle: ({ viewer, params, transact }) => {
    const { group_name, description, stream_names } = params;
    transact((tx) => {
      const channels = channelsToGroup(tx, viewer, assertNotTooMany(stream_names));
      createDefaultStreamGroup(tx, viewer, { name: freeGroupName(tx, group_name), description, channels });
    });
  },
});

export const patchDefaultStreamGroup = endpoint({
  route: "PATCH /default_stream_groups/{group_id}",
  summary: "Rename or describe a default channel group.",
  who: "administrator",
  params: { group_id: integer(), new_group_name: name.optional(), new_description: description.optional() },
  handle: ({ viewer, params, transact }) => {
    const { group_id, new_group_name, new_description } = params;
    transact((tx) => {
      const group = defaultStreamGroupToChange(tx, group_id);
      if (new_group_name === undefined && new_description === undefined) throw badRequest("group_changes_missing");
      changeDefaultStreamGroup(tx, viewer, group, {
        name: new_group_name === undefined ? group.name : freeGroupName(tx, new_group_name, group),
        description: new_description ?? group.description,
      });
    });
  },
});

export const patchChannelsOfDefaultStreamGroup = endpoint({
  route: "PATCH /default_stream_groups/{group_id}/streams",
  summary: "Add channels to a default channel group, or remove them.",
  who: "administrator",
  params: { group_id: integer(), op: oneOf("add", "remove"), stream_names },
  handle: ({ viewer, params, transact }) => {
    const { group_id, op, stream_names } = params;
    const find = op === "add" ? channelsToGroup : channelsOfGroup;
    transact((tx) => {
      const group = defaultStreamGroupToChange(tx, group_id);
      const channels = find(tx, viewer, assertNotTooMany(stream_names));
      for (const { id, name } of channels) {
        if (group.streams.includes(id) === (op === "add"))
          throw badRequest(op === "add" ? "channel_already_in_group" : "channel_not_in_group", {
            channel: name,
            group: group.name,
          });
      }
      changeChannelsOfGroup(tx, viewer, group, { op, channels });
    });
  },
});

export const removeDefaultStreamGroup = endpoint({
  route: "DELETE /default_stream_groups/{group_id}",
  summary: "Delete a default channel group. Its channels stay.",
  who: "administrator",
  params: { group_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => deleteDefaultStreamGroup(tx, viewer, defaultStreamGroupToChange(tx, params.group_id))),
});
