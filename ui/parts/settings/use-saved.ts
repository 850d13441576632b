import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../error-messages.ts";
import { noticeDone, noticeError } from "./notices.tsx";
import { usePendingValue } from "./use-pending-value.ts";

export interface Saved<T> {
  /** The newest value that is being saved, otherwise the current one. */
  readonly shown: T;
  /** Why the server refused the last change. */
  readonly error: string | undefined;
  readonly isSaving: boolean;
  /** Saves a value immediately, and offers to undo that. */
  change(value: T): void;
}

export interface SavedOptions<T> {
  /** The current value, from the live state. */
  value: T;
  /** The setting's name in its notification. */
  name: string;
  /** `from` is the replaced value, for calls that fail if it is no longer the current one. */
  save(value: T, from: T): Promise<unknown>;
}

/** A setting that is saved when it changes. It shows a change immediately, and the current value again if refused. */
export function useSaved<T>({ value, name, save }: SavedOptions<T>): Saved<T> {
  const { t } = useTranslation();
  const { shown, isSaving, put } = usePendingValue(value, save);
  const [error, setError] = useState<string>();
  const latest = useRef(0);
  const isMounted = useIsMounted();

  const change = async (next: T) => {
    const attempt = ++latest.current;
    setError(undefined);
    try {
      await put(next, shown);
      noticeDone(t("saving.savedNamed", { name }), () => put(shown, next));
    } catch (refusal) {
      // A text is saved when its field disappears, so there may be no field left to show the error.
      if (!isMounted.current) noticeError(refusal, name);
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
