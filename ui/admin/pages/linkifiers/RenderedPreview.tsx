import { Box, Stack, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import classes from "./RenderedPreview.module.css";

const TYPING_MS = 250;

/** A text as the server renders it in a message. It renders again when `dependsOn` changes. */
export function RenderedPreview({ dependsOn }: { dependsOn: unknown }) {
  const { t } = useTranslation();
  const client = useClient();
  const [text, setText] = useState("");
  const [content] = useDebouncedValue(text, TYPING_MS);
  const isEmpty = content.trim() === "";
  const { data, error } = useQuery({
    queryKey: ["POST /messages/render", content, dependsOn],
    queryFn: ({ signal }) => client.call("POST /messages/render", { content }, signal),
    enabled: !isEmpty,
    retry: false,
    placeholderData: keepPreviousData,
  });

  return (
    <Stack gap="sm" mt="md">
      <Textarea
        aria-label={t("linkifiers.previewText")}
        placeholder={t("linkifiers.previewText")}
        autosize
        minRows={2}
        value={text}
        error={error && errorMessage(error)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {/* The server sanitizes the HTML, as for every message. */}
      <Box
        className={classes.rendered}
        mih="1.5rem"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
        dangerouslySetInnerHTML={{ __html: isEmpty ? "" : (data?.rendered ?? "") }}
      />
    </Stack>
  );
}
