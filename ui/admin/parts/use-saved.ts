import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { noticeDone } from "./notices.tsx";

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
  const [pending, setPending] = useState<{ value: T }>();
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const latest = useRef(0);

  // The event that brings the new value may come after the answer: until then, the saved value is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a value that has changed replaces what was saved
  useEffect(() => setPending(undefined), [value]);

  const shown = pending ? pending.value : value;

  const change = async (next: T) => {
    const attempt = ++latest.current;
    setPending({ value: next });
    setError(undefined);
    setSaving(true);
    try {
      await save(next, shown);
      noticeDone(t("saving.savedNamed", { name }), () => save(shown, next));
    } catch (refused) {
      if (attempt !== latest.current) return;
      setPending(undefined);
      setError(errorMessage(refused));
    } finally {
      if (attempt === latest.current) setSaving(false);
    }
  };

  return { shown, error, isSaving, change: (next) => void change(next) };
}
