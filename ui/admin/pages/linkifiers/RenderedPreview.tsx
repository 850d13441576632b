import { Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import classes from "./RenderedPreview.module.css";

const PAUSE_MS = 250;

/** What a text becomes as a message: the server renders it, again whenever `dependsOn` changes. */
export function RenderedPreview({ dependsOn }: { dependsOn: unknown }) {
  const { t } = useTranslation();
  const client = useClient();
  const [text, setText] = useState("");
  const [html, setHtml] = useState("");
  const [error, setError] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is depended on changes the rendering
  useEffect(() => {
    if (text.trim() === "") return setHtml("");
    const controller = new AbortController();
    const timer = setTimeout(() => {
      client.call("POST /messages/render", { content: text }, controller.signal).then(
        ({ rendered }) => {
          setHtml(rendered);
          setError(undefined);
        },
        (refused: unknown) => controller.signal.aborted || setError(errorMessage(refused)),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, text, dependsOn]);

  return (
    <div className={classes.preview}>
      <Textarea
        aria-label={t("linkifiers.previewText")}
        placeholder={t("linkifiers.previewText")}
        autosize
        minRows={2}
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it safe, as it does every message */}
      <div className={classes.rendered} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
