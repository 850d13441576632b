import { useEffect } from "react";
import { askUntilAnswered } from "../../api/ask-until-answered.ts";
import type { Answer, Client } from "../../api/client.ts";
import { useClient } from "../../api/client-context.ts";
import { Store, useStore } from "../../api/store.ts";

export type SettingTables = Answer<"GET /host/setting-tables">;
/** The catalogue has its title and its settings, by name. */
export type SettingSection = SettingTables["organization"][number];
export type Setting = SettingSection["settings"][number];

/** They change only with the version of the server, so a page loads them once. */
const tables = new Store<SettingTables | undefined>(undefined);
let asking = false;

async function load(client: Client): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    tables.set(await askUntilAnswered({ ask: (signal) => client.call("GET /host/setting-tables", {}, signal) }));
  } finally {
    asking = false;
  }
}

/** Undefined until they are loaded. */
export function useSettingTables(): SettingTables | undefined {
  const client = useClient();
  const isLoaded = useStore(tables, (value) => value !== undefined);
  useEffect(() => {
    if (!isLoaded) void load(client);
  }, [client, isLoaded]);
  return useStore(tables, (value) => value);
}

export const settingsIn = (sections: readonly SettingSection[] = []): Setting[] =>
  sections.flatMap(({ settings }) => settings);
