import { z } from "zod";
import { json } from "../../http/params.ts";
import { ownBotStorage } from "../access/bots.ts";
import { deleteFromBotStorage, putInBotStorage } from "../actions/bot-storage.ts";
import { endpoint } from "./endpoint.ts";
import { countStorageBytes } from "./stored-bytes.ts";

const MAX_KEYS = 1000;
const keys = json(z.array(z.string()).max(MAX_KEYS)).optional().describe("All keys if omitted.");

export const getBotStorage = endpoint({
  route: "GET /bot_storage",
  summary: "Get the caller's stored values.",
  who: "guest",
  params: { keys },
  response: z.object({ storage: z.record(z.string(), z.string()) }),
  handle: ({ viewer, params, reader }) => ({ storage: Object.fromEntries(ownBotStorage(reader, viewer, params.keys)) }),
});

export const putBotStorage = endpoint({
  route: "PUT /bot_storage",
  summary: "Store values. Other keys do not change.",
  who: "guest",
  params: { storage: json(z.record(z.string(), z.string())) },
  handle: (call) => {
    const { viewer, params, transact } = call;
    countStorageBytes(call, params.storage);
    transact((tx) => putInBotStorage(tx, viewer, new Map(Object.entries(params.storage))));
  },
});

export const deleteBotStorage = endpoint({
  route: "DELETE /bot_storage",
  summary: "Delete stored values.",
  who: "guest",
  params: { keys },
  handle: ({ viewer, params, transact }) => {
    transact((tx) => {
      const entries = ownBotStorage(tx, viewer, params.keys);
      deleteFromBotStorage(tx, viewer, params.keys && [...entries.keys()]);
    });
  },
});
