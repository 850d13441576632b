import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { number } from "../../../parts/format.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { WorkProgress } from "../../parts/WorkProgress.tsx";
import type { Current, Preview } from "./use-imports.ts";

interface SlackFilesProps {
  current: Current;
  preview: Preview;
  refetch(): Promise<void>;
}

/** Fetches the files to which a Slack export links. */
export function SlackFiles({ current, preview, refetch }: SlackFilesProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [token, setToken] = useState("");
  const fetching = useMutation({
    mutationFn: () => client.call("POST /host/imports/current/fetch", token.trim() === "" ? {} : { token }),
    onSettled: refetch,
  });
  const { fetched, files_elsewhere: elsewhere } = preview;
  if (elsewhere === 0 && !fetched) return null;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    fetching.mutate();
  };
  const lead = elsewhere > 0 ? t("moveIn.slackFilesLead", { count: elsewhere }) : undefined;
  return (
    <PageSection title={t("moveIn.slackFiles")} description={lead}>
      {current.problem && (
        <Callout tone="error" role="alert">
          {problemInWords(current.problem)}
        </Callout>
      )}
      {fetched && <Result fetched={fetched} />}
      {elsewhere > 0 && (
        <Stack component="form" gap="sm" maw="32rem" onSubmit={onSubmit}>
          <TextInput
            label={t("moveIn.slackToken")}
            description={t("moveIn.slackTokenHint")}
            value={token}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <div>
            <Button type="submit" variant="default" loading={fetching.isPending}>
              {t("moveIn.fetch")}
            </Button>
          </div>
        </Stack>
      )}
      <ErrorCallout error={fetching.error} />
    </PageSection>
  );
}

function Result({ fetched: { fetched, failed, failures } }: { fetched: NonNullable<Preview["fetched"]> }) {
  const { t } = useTranslation();
  return (
    <>
      <Hint isLead>{t("moveIn.fetched", { count: fetched })}</Hint>
      {failed > 0 && (
        <details>
          <summary>{t("moveIn.notFetched", { count: failed })}</summary>
          <PlainList mt="xs">
            {[...new Map(failures.map((failure) => [failure.url, failure])).values()].map(({ url, problem }) => (
              <li key={url}>
                <bdi>{url}</bdi>: {problemInWords(problem)}
              </li>
            ))}
          </PlainList>
        </details>
      )}
    </>
  );
}

export function FetchingFiles({ current: { done, total }, refetch }: Omit<SlackFilesProps, "preview">) {
  const { t } = useTranslation();
  const client = useClient();
  const stopping = useMutation({
    mutationFn: () => client.call("DELETE /host/imports/current/fetch", {}),
    onSettled: refetch,
  });
  return (
    <PageSection title={t("moveIn.slackFiles")} description={t("moveIn.fetchingLead")}>
      <Group gap="0.75rem 1rem" align="start">
        <WorkProgress
          label={t("moveIn.slackFiles")}
          done={done}
          total={total}
          text={t("moveIn.fetching", { done: number(done), total: number(total) })}
        />
        <Button variant="default" size="sm" loading={stopping.isPending} onClick={() => stopping.mutate()}>
          {t("moveIn.stopFetching")}
        </Button>
      </Group>
    </PageSection>
  );
}
