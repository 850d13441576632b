import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEventHandler, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import { MessageContent } from "../feed/MessageContent.tsx";
import classes from "./Composer.module.css";
import { COMPOSER_ID } from "./field-ids.ts";

export interface PreviewProps {
  text: string;
  onKeyDown: KeyboardEventHandler;
}

/** The text as the server will render it. */
export function Preview({ text, onKeyDown }: PreviewProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const { data, error } = useQuery({
    queryKey: ["POST /messages/render", text],
    queryFn: ({ signal }) => chat.client.call("POST /messages/render", { content: text }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const region = useRef<HTMLElement>(null);
  // Takes the focus of the field that it replaces, so that the key that opened the preview also closes it.
  useEffect(() => {
    if ([document.body, document.getElementById(COMPOSER_ID)].includes(document.activeElement as HTMLElement))
      region.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={region}
      className={classes.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-label={t("writing.preview")}
      aria-busy={!data && !error}
    >
      {error && <p role="alert">{errorMessage(error)}</p>}
      {text.trim() === "" ? (
        <Text inherit c="var(--mantine-color-placeholder)">
          {t("writing.nothingToPreview")}
        </Text>
      ) : (
        data && <MessageContent html={data.rendered} />
      )}
    </section>
  );
}
