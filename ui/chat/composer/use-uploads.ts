import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

export interface Uploads {
  readonly isBusy: boolean;
  /** Of what is being uploaded, together. */
  readonly percent: number;
  add(files: readonly File[]): void;
}

interface Options {
  /** Markdown that shows the file, or links to it. */
  onUploaded(markdown: string): void;
  onError(message: string): void;
}

/** Uploads files one after another. XMLHttpRequest, since fetch reports no progress of what it sends. */
export function useUploads({ onUploaded, onError }: Options): Uploads {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState<readonly File[]>([]);
  const [percent, setPercent] = useState(0);
  const running = useRef<XMLHttpRequest>(undefined);
  const latest = useRef({ onUploaded, onError });
  latest.current = { onUploaded, onError };
  const [first] = waiting;

  useEffect(() => {
    if (!first) return;
    const request = new XMLHttpRequest();
    running.current = request;
    const form = new FormData();
    form.set("file", first, first.name);
    request.upload.onprogress = ({ loaded, total }) => setPercent(Math.floor((100 * loaded) / Math.max(total, 1)));
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (answer?.url) latest.current.onUploaded(`[${first.name.replace(/[[\]]/g, "")}](${answer.url})\n`);
      else latest.current.onError(answer?.msg ?? t("chat.compose.uploadFailed", { name: first.name }));
    };
    request.onerror = () => latest.current.onError(t("chat.compose.uploadFailed", { name: first.name }));
    request.onloadend = () => {
      setPercent(0);
      setWaiting((files) => files.slice(1));
    };
    request.open("POST", "/api/v1/user_uploads");
    request.send(form);
  }, [first, t]);
  useEffect(() => () => running.current?.abort(), []);

  const add = useCallback((files: readonly File[]) => setWaiting((before) => [...before, ...files]), []);
  return { isBusy: waiting.length > 0, percent, add };
}

function parsed(text: string): { url?: string; msg?: string } | undefined {
  try {
    return JSON.parse(text) as { url?: string; msg?: string };
  } catch {
    return undefined;
  }
}
