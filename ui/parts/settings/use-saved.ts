import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../error-messages.ts";
import { noticeDone, noticeError } from "./notices.tsx";
import { afterHeld, answered, asked, type PendingSaves, refused, shownValue } from "./pending-saves.ts";

export interface Saved<T> {
  /** The value to show: the one being saved, else the one that holds. */
  readonly shown: T;
  /** Why the server refused the last change; the value that holds is shown again. */
  readonly error: string | undefined;
  readonly isSaving: boolean;
  /** Saves a value at once, and offers to undo it. */
  change(value: T): void;
}

export interface SavedOptions<T> {
  /** As it holds: from the live state. */
  value: T;
  /** What the notice calls it. */
  name: string;
  /** `from` is what `value` replaces: for calls that are refused where something else holds meanwhile. */
  save(value: T, from: T): Promise<unknown>;
}

/** One setting that is saved when it is changed. It shows the change at once, and goes back if the server refuses. */
export function useSaved<T>({ value, name, save }: SavedOptions<T>): Saved<T> {
  const { t } = useTranslation();
  const { shown, isSaving, put } = usePut(value, save);
  const [error, setError] = useState<string>();
  const latest = useRef(0);
  const isHere = useIsMounted();

  const change = async (next: T) => {
    const attempt = ++latest.current;
    setError(undefined);
    try {
      await put(next, shown);
      noticeDone(t("saving.savedNamed", { name }), () => put(shown, next));
    } catch (refusal) {
      // Its field may be gone: what is typed is saved when one leaves it, by Back too.
      if (!isHere.current) noticeError(refusal, name);
      else if (attempt === latest.current) setError(errorMessage(refusal));
    }
  };

  return { shown, error, isSaving, change: (next) => void change(next) };
}

function useIsMounted(): { readonly current: boolean } {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

export interface Put<T> {
  readonly shown: T;
  readonly isSaving: boolean;
  /** Shows a value at once and saves it, after those before it. Rejects if it is refused, and shows what holds again. */
  put(value: T, from: T): Promise<unknown>;
}

/** `value`: as it holds, from the live state. What is put is shown until the live state has it. */
export function usePut<T>(value: T, save: SavedOptions<T>["save"]): Put<T> {
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
