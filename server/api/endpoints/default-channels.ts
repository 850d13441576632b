import { integer } from "../../http/params.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { allowedChange } from "../access/channel-settings.ts";
import { channelToAdminister } from "../access/channels.ts";
import { changeChannel } from "../actions/channel-settings.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

function setDefault(tx: Transaction, viewer: User, id: number, is_default: boolean): void {
  const channel = channelToAdminister(tx, viewer, id);
  changeChannel(tx, viewer, channel, allowedChange(tx, viewer, channel, { is_default, groups: {} }));
}

export const addDefaultChannel = endpoint({
  route: "POST /default_streams",
  summary: "Have people who join later subscribed to a channel.",
  who: "administrator",
  params: { stream_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => setDefault(tx, viewer, params.stream_id, true));
    return {};
  },
});

export const removeDefaultChannel = endpoint({
  route: "DELETE /default_streams",
  summary: "Leave a channel to those who choose it. Nobody is unsubscribed.",
  who: "administrator",
  params: { stream_id: integer() },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => setDefault(tx, viewer, params.stream_id, false));
    return {};
  },
});
