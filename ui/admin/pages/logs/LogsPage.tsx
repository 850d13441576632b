import { Box, Button, Group, Select } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, Pause, Play } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { stopWithPage } from "../../../api/page-life.ts";
import { useStore } from "../../../api/store.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { noticeError } from "../../../parts/settings/notices.tsx";
import { ChoiceSetting } from "../../../parts/settings/settings.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useAnswer } from "../../use-answer.ts";
import { LogFollower } from "./follow-log.ts";
import { LogLineRow } from "./LogLineRow.tsx";

const LEVELS = ["error", "warn", "info", "debug"] as const;
const TYPING_MS = 250;

/** The server's log, live. */
export function LogsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const [search, setSearch] = usePageSearch();
  const level = LEVELS.find((one) => one === search["level"]) ?? "debug";
  const words = search.q?.trim().slice(0, 200) || undefined;
  const log = useMemo(
    () => new LogFollower(client, { level, ...(words !== undefined && { text: words }) }),
    [client, level, words],
  );
  const { lines, next, error } = useStore(log.followed, (followed) => followed);
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    log.follow();
    return stopWithPage(() => log.stop());
  }, [log, isPaused]);

  const [text, setText] = useState(search.q ?? "");
  useEffect(() => setText(search.q ?? ""), [search.q]);
  const searchLater = useDebouncedCallback((q: string) => setSearch({ q }), TYPING_MS);
  const bundle = useMutation({ mutationFn: () => saveFile("/host/logs/bundle"), onError: noticeError });
  const older = useMutation({ mutationFn: () => log.loadOlder(), onError: noticeError });
  const isSearched = words !== undefined || level !== "debug";
  return (
    <Page
      title={t("logs.title")}
      description={t("logs.lead")}
      actions={
        <BusyButton
          variant="default"
          size="sm"
          busy={bundle.isPending}
          leftSection={<Download size="1rem" aria-hidden="true" />}
          aria-describedby="log-bundle-hint"
          onClick={() => bundle.mutate()}
        >
          {t("logs.bundle")}
        </BusyButton>
      }
    >
      <Hint id="log-bundle-hint" isLead>
        {t("logs.bundleHint")}
      </Hint>
      <Group align="end" gap="sm">
        <SearchField
          flex="1 1 14rem"
          maw="26rem"
          label={t("logs.search")}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            searchLater(event.currentTarget.value);
          }}
        />
        <Select
          size="sm"
          label={t("logs.show")}
          data={LEVELS.map((value) => ({ value, label: t(`logs.levels.${value}`) }))}
          value={level}
          allowDeselect={false}
          onChange={(value) => setSearch({ level: value === "debug" ? undefined : (value ?? undefined) })}
        />
        <Button
          size="sm"
          variant="default"
          leftSection={isPaused ? <Play size="1rem" aria-hidden="true" /> : <Pause size="1rem" aria-hidden="true" />}
          onClick={() => setPaused(!isPaused)}
        >
          {t(isPaused ? "logs.follow" : "logs.pause")}
        </Button>
        <Hint span role="status" pb="xs">
          {t(isPaused ? "logs.paused" : "logs.following")}
        </Hint>
      </Group>
      {error !== undefined && <Callout tone="warning">{t("logs.unreachable")}</Callout>}
      {lines === undefined && error === undefined && <PageSkeleton />}
      {lines?.length === 0 && <EmptyState title={t(isSearched ? "logs.none" : "logs.empty")} />}
      {lines !== undefined && lines.length > 0 && (
        <PlainList ordered aria-label={t("logs.lines")}>
          {lines.map((line) => (
            <LogLineRow key={line.id} line={line} />
          ))}
        </PlainList>
      )}
      {next !== null && lines !== undefined && (
        <Group justify="center">
          <BusyButton variant="default" size="sm" busy={older.isPending} onClick={() => older.mutate()}>
            {t("logs.older")}
          </BusyButton>
        </Group>
      )}
      <LevelSetting />
    </Page>
  );
}

function LevelSetting() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { data } = useAnswer("GET /host/settings", {}, { isOfHost: true });
  if (!data) return null;
  const { settings, set_by_environment } = data;
  const isFixed = set_by_environment.includes("LOG_LEVEL");
  return (
    <Box maw="26rem">
      <ChoiceSetting
        label={t("logs.writes")}
        help={isFixed ? t("network.byEnvironment", { name: "LOG_LEVEL" }) : t("logs.writesHint")}
        disabled={isFixed}
        choices={LEVELS.map((value) => ({ value, label: t(`logs.levels.${value}`) }))}
        value={settings.LOG_LEVEL}
        save={async (LOG_LEVEL) => {
          await client.call("PATCH /host/settings", { LOG_LEVEL });
          await queries.invalidateQueries({ queryKey: ["GET /host/settings"] });
        }}
      />
    </Box>
  );
}
