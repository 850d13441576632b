import { useCallback, useEffect, useRef, useState } from "react";
import type { Input } from "../../api/client.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";

export type Saving = "saving" | "saved" | { readonly error: string } | undefined;

const SHOWN_MS = 2_500;

/** Runs what saves a setting, and says how it went. What was refused stays as it was: the state comes from the server. */
export function useSaving(): [Saving, (work: () => Promise<unknown>) => Promise<boolean>] {
  const [saving, setSaving] = useState<Saving>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const save = useCallback(async (work: () => Promise<unknown>) => {
    clearTimeout(timer.current);
    setSaving("saving");
    try {
      await work();
      setSaving("saved");
      timer.current = setTimeout(() => setSaving(undefined), SHOWN_MS);
      return true;
    } catch (error) {
      setSaving({ error: errorMessage(error) });
      return false;
    }
  }, []);
  return [saving, save];
}

export type SettingChanges = Input<"PATCH /settings">;

/** Saves own settings. */
export function useSaveSettings(): [Saving, (changes: SettingChanges) => Promise<boolean>] {
  const { chat } = useChat();
  const [saving, save] = useSaving();
  return [saving, useCallback((changes) => save(() => chat.client.call("PATCH /settings", changes)), [chat, save])];
}

/** A value as it was chosen, from the choice until the state has it or the server has refused it. */
export function useChosen<T>(value: T): [T, (chosen: T, save: () => Promise<boolean>) => void] {
  const [chosen, setChosen] = useState<{ value: T }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of the state replaces what was chosen
  useEffect(() => setChosen(undefined), [value]);
  const choose = (next: T, save: () => Promise<boolean>) => {
    setChosen({ value: next });
    void save().then((isSaved) => isSaved || setChosen(undefined));
  };
  return [chosen ? chosen.value : value, choose];
}
