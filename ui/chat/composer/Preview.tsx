import { type KeyboardEventHandler, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import { MessageContent } from "../feed/MessageContent.tsx";
import { COMPOSER_ID } from "../feed/use-quote.ts";
import classes from "./Preview.module.css";

export interface PreviewProps {
  text: string;
  onKeyDown: KeyboardEventHandler;
}

/** What is being written as the server will show it. */
export function Preview({ text, onKeyDown }: PreviewProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [html, setHtml] = useState<string>();
  const [error, setError] = useState<string>();
  const region = useRef<HTMLElement>(null);
  // It stands in place of the field: a key that opened it closes it, too.
  useEffect(() => {
    if ([document.body, document.getElementById(COMPOSER_ID)].includes(document.activeElement as HTMLElement))
      region.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    chat.client.call("POST /messages/render", { content: text }, controller.signal).then(
      ({ rendered }) => setHtml(rendered),
      (caught) => {
        if (!controller.signal.aborted) setError(errorMessage(caught));
      },
    );
    return () => controller.abort();
  }, [chat, text]);
  return (
    <section
      ref={region}
      className={classes.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-label={t("writing.preview")}
      aria-busy={html === undefined && !error}
    >
      {error && <p role="alert">{error}</p>}
      {text.trim() === "" ? (
        <p className={classes.empty}>{t("writing.nothingToPreview")}</p>
      ) : (
        html !== undefined && <MessageContent html={html} />
      )}
    </section>
  );
}
