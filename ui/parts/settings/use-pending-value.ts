import { useEffect, useRef, useState } from "react";
import { afterHeld, answered, asked, type PendingSaves, refused, shownValue } from "./pending-saves.ts";

export interface PendingValue<T> {
  /** The newest value that is being saved, otherwise the current one. */
  readonly shown: T;
  readonly isSaving: boolean;
  /** Shows a value immediately and saves it after the saves before it. Rejects, and shows the current value, if refused. */
  put(value: T, from: T): Promise<unknown>;
}

/** Shows a saved value until the live state, from which `value` comes, has it. `save` gets the value it replaces too. */
export function usePendingValue<T>(value: T, save: (value: T, from: T) => Promise<unknown>): PendingValue<T> {
  const [pending, setPending] = useState<PendingSaves<T>>({ held: value, saves: [] });
  const lastId = useRef(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => setPending((before) => afterHeld(before, value)), [value]);

  const put = async (next: T, from: T) => {
    const id = ++lastId.current;
    setPending((before) => asked(before, id, next));
    const saved = last.current.then(() => save(next, from));
    last.current = saved.catch(() => {});
    try {
      await saved;
      setPending((before) => answered(before, id));
    } catch (refusal) {
      setPending((before) => refused(before, id));
      throw refusal;
    }
  };
  return {
    shown: shownValue(pending, value),
    isSaving: pending.saves.some(({ isAnswered }) => !isAnswered),
    put,
  };
}
