import { Anchor, Group, Paper, Stack } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Hint } from "../../../parts/text/Hint.tsx";
import { playgroundUrl } from "./playground-url.ts";

const SAMPLE = 'print("Hello!")';

/** A code block with its playground link, as apps show it. */
export function PlaygroundPreview({ name, template }: { name: string; template: string }) {
  const { t } = useTranslation();
  const url = playgroundUrl(template, SAMPLE);
  return (
    <Stack component="figure" gap="xs" m={0}>
      <figcaption>
        <Hint span>{t("playgrounds.preview")}</Hint>
      </figcaption>
      <Paper withBorder px="md" py="sm" bg="transparent">
        <Group justify="space-between" gap="0.5rem 1rem">
          <code>{SAMPLE}</code>
          {url ? (
            <Anchor href={url} target="_blank" rel="noreferrer" miw={0}>
              <Group component="span" gap="xs" wrap="nowrap">
                <ExternalLink size="1rem" aria-hidden="true" style={{ flex: "none" }} />
                {name.trim() || t("playgrounds.unnamed")}
              </Group>
            </Anchor>
          ) : (
            <Hint span>{t("playgrounds.noPreview", { variable: "{code}" })}</Hint>
          )}
        </Group>
      </Paper>
      {url && <Hint>{url}</Hint>}
    </Stack>
  );
}
