import { z } from "zod";
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
import { badRequest } from "../errors.ts";
import { integer, listOf, oneOf, text } from "../http/params.ts";
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from "../queries/default-stream-groups.ts";
import { endpoint } from "./endpoint.ts";

const name = text().maxLength(MAX_GROUP_NAME_LENGTH);
const description = text().maxLength(MAX_GROUP_DESCRIPTION_LENGTH);
/** Of one request: everybody waits while they are looked up. */
const MAX_CHANNELS = 500;
const stream_names = listOf(z.string());

function assertNotTooMany(names: readonly string[]): readonly string[] {
  if (names.length > MAX_CHANNELS) throw badRequest(`stream_names may name at most ${MAX_CHANNELS} channels.`);
  return names;
}

export const postDefaultStreamGroup = endpoint({
  route: "POST /default_stream_groups/create",
  summary: "Create a group of channels that newMembers may take together.",
  who: "administrator",
  params: { group_name: name, description, stream_names },
  handle: ({ viewer, params, reader, transact }) => {
    const channels = channelsToGroup(reader, viewer, assertNotTooMany(params.stream_names));
    const group = { name: freeGroupName(reader, params.group_name), description: params.description, channels };
    transact((tx) => createDefaultStreamGroup(tx, viewer, group));
    return {};
  },
});

export const patchDefaultStreamGroup = endpoint({
  route: "PATCH /default_stream_groups/{group_id}",
  summary: "Rename or describe a default channel group.",
  who: "administrator",
  params: { group_id: integer(), new_group_name: name.optional(), new_description: description.optional() },
  handle: ({ viewer, params, reader, transact }) => {
    const group = defaultStreamGroupToChange(reader, params.group_id);
    const { new_group_name, new_description } = params;
    if (new_group_name === undefined && new_description === undefined)
      throw badRequest("There is nothing to change: give new_group_name or new_description.");
    const after = {
      name: new_group_name === undefined ? group.name : freeGroupName(reader, new_group_name, group),
      description: new_description ?? group.description,
    };
    transact((tx) => changeDefaultStreamGroup(tx, viewer, group, after));
    return {};
  },
});

export const patchChannelsOfDefaultStreamGroup = endpoint({
  route: "PATCH /default_stream_groups/{group_id}/streams",
  summary: "Add channels to a default channel group, or take them out.",
  who: "administrator",
  params: { group_id: integer(), op: oneOf("add", "remove"), stream_names },
  handle: ({ viewer, params, reader, transact }) => {
    const group = defaultStreamGroupToChange(reader, params.group_id);
    const { op } = params;
    const find = op === "add" ? channelsToGroup : channelsOfGroup;
    const channels = find(reader, viewer, assertNotTooMany(params.stream_names));
    for (const { id, name } of channels) {
      if (group.streams.includes(id) === (op === "add"))
        throw badRequest(`The channel ${name} is ${op === "add" ? "already" : "not"} in the group ${group.name}.`);
    }
    transact((tx) => changeChannelsOfGroup(tx, viewer, group, { op, channels }));
    return {};
  },
});

export const removeDefaultStreamGroup = endpoint({
  route: "DELETE /default_stream_groups/{group_id}",
  summary: "Delete a default channel group; its channels stay.",
  who: "administrator",
  params: { group_id: integer() },
  handle: ({ viewer, params, reader, transact }) => {
    const group = defaultStreamGroupToChange(reader, params.group_id);
    transact((tx) => deleteDefaultStreamGroup(tx, viewer, group));
    return {};
  },
});
