import { Button, Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { RowSelectionState } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { bytes, monthName } from "../../../parts/format.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { CountList, countsInWords } from "./CountList.tsx";
import { ImportedChannels } from "./ImportedChannels.tsx";
import classes from "./MoveInPage.module.css";
import type { Counts, Preview } from "./use-imports.ts";

const COUNTS = "POST /host/imports/current/counts";
type Choices = Input<typeof COUNTS>["choices"];

const COUNT_AFTER_MS = 300;
/** Lowest first, so that nobody gets far-reaching rights by a slip. */
const ROLES = ["member", "moderator", "administrator", "owner"] as const;

export function ImportChoices({ preview, refetch }: { preview: Preview; refetch(): Promise<void> }) {
  const { t } = useTranslation();
  const client = useClient();
  const [chosen, setChosen] = useState(preview.choices);
  const [selected, setSelected] = useState<RowSelectionState>(() =>
    Object.fromEntries(preview.choices.channels.map((id) => [id, true])),
  );
  const [isStarting, setStarting] = useState(false);
  const discard = useMutation({
    mutationFn: () => client.call("DELETE /host/imports/current", {}),
    onSettled: refetch,
  });
  const choices = useMemo(
    () => ({ ...chosen, channels: preview.channels.filter(({ id }) => selected[id]).map(({ id }) => id) }),
    [chosen, selected, preview.channels],
  );
  const { counts, error } = useCounts(choices);
  const hasTopic = choices.unthreaded === "month" || choices.unthreaded.topic.trim() !== "";
  const needsConsent =
    choices.direct_messages || preview.channels.some(({ id, is_private }) => is_private && selected[id]);
  const left = preview.upload_space_left;
  return (
    <>
      <Options preview={preview} choices={chosen} onChange={(change) => setChosen({ ...chosen, ...change })} />
      <PageSection title={t("moveIn.thisImport")} description={t("moveIn.accounts")}>
        {counts && <CountList counts={counts} />}
        {counts && left !== null && counts.bytes > left && (
          <Callout tone="warning">
            {t("moveIn.tooLittleSpace", { needed: bytes(counts.bytes), left: bytes(left) })}
          </Callout>
        )}
        <ErrorCallout error={error} />
      </PageSection>
      <PageSection title={t("moveIn.channels")} description={t("moveIn.channelsLead")}>
        <ImportedChannels preview={preview} selected={selected} onChange={setSelected} />
      </PageSection>
      <div className={classes.end}>
        <Hint role="status">{counts && countsInWords(counts, t)}</Hint>
        <ErrorCallout error={discard.error} />
        <Group gap="xs" ms="auto">
          <Button variant="subtle" color="gray" loading={discard.isPending} onClick={() => discard.mutate()}>
            {t("moveIn.discard")}
          </Button>
          <Button disabled={!counts || !hasTopic} onClick={() => setStarting(true)}>
            {t("moveIn.import")}
          </Button>
        </Group>
      </div>
      {isStarting && counts && (
        <StartDialog {...{ choices, counts, needsConsent, refetch }} onClose={() => setStarting(false)} />
      )}
    </>
  );
}

/** The counts of an import with these choices. */
function useCounts(choices: Choices): { counts: Counts | undefined; error: unknown } {
  const client = useClient();
  const [settled] = useDebouncedValue(choices, COUNT_AFTER_MS);
  const isComplete = settled.unthreaded === "month" || settled.unthreaded.topic.trim() !== "";
  const { data, error } = useQuery({
    queryKey: [COUNTS, settled],
    queryFn: ({ signal }) => client.call(COUNTS, { choices: settled }, signal),
    enabled: isComplete,
    gcTime: 0, // the next export has other counts
    placeholderData: keepPreviousData,
  });
  return { counts: data?.counts, error };
}

interface OptionsProps {
  preview: Preview;
  choices: Choices;
  onChange(change: Partial<Choices>): void;
}

function Options({ preview: { direct, messages_by_month }, choices, onChange }: OptionsProps) {
  const { t } = useTranslation();
  const maxLength = useOrganization(({ max_topic_length }) => max_topic_length);
  const months = Object.keys(messages_by_month).reverse();
  const { direct_messages, since, unthreaded, max_role } = choices;
  return (
    <PageSection title={t("moveIn.options")}>
      <Stack gap="md" maw="34rem">
        {direct.conversations === 0 ? (
          <Hint>{t("moveIn.noDirect")}</Hint>
        ) : (
          <Checkbox
            label={t("moveIn.direct")}
            description={t("moveIn.directHint", {
              conversations: t("moveIn.inWords.conversations", { count: direct.conversations }),
              messages: t("moveIn.inWords.messages", { count: direct.messages }),
            })}
            checked={direct_messages}
            onChange={(event) => onChange({ direct_messages: event.currentTarget.checked })}
          />
        )}
        <NativeSelect
          size="md"
          label={t("moveIn.since")}
          data={[
            { value: "", label: t("moveIn.everything") },
            ...months.map((month) => ({ value: month, label: t("moveIn.sinceMonth", { month: monthName(month) }) })),
          ]}
          value={since ?? ""}
          onChange={(event) => onChange({ since: event.currentTarget.value || null })}
        />
        <Radio.Group
          label={t("moveIn.unthreaded")}
          description={t("moveIn.unthreadedHint")}
          value={unthreaded === "month" ? "month" : "topic"}
          onChange={(value) =>
            onChange({ unthreaded: value === "month" ? "month" : { topic: t("moveIn.topicDefault") } })
          }
        >
          <Stack gap="xs" mt="xs">
            <Radio value="month" label={t("moveIn.topicMonth", { month: monthName(months[0] ?? "2024-03") })} />
            <Radio value="topic" label={t("moveIn.topicOne")} />
          </Stack>
        </Radio.Group>
        {unthreaded !== "month" && (
          <TextInput
            label={t("moveIn.topicName")}
            value={unthreaded.topic}
            maxLength={maxLength}
            error={unthreaded.topic.trim() === "" && t("moveIn.topicMissing")}
            onChange={(event) => onChange({ unthreaded: { topic: event.currentTarget.value } })}
          />
        )}
        <NativeSelect
          size="md"
          label={t("moveIn.maxRole")}
          description={t("moveIn.maxRoleHint")}
          data={ROLES.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
          value={max_role}
          onChange={(event) => onChange({ max_role: event.currentTarget.value as Choices["max_role"] })}
        />
      </Stack>
    </PageSection>
  );
}

interface StartDialogProps {
  choices: Choices;
  counts: Counts;
  needsConsent: boolean;
  refetch(): Promise<void>;
  onClose(): void;
}

function StartDialog({ choices, counts, needsConsent, refetch, onClose }: StartDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [search, setSearch] = usePageSearch();
  return (
    <FormDialog
      title={t("moveIn.startTitle")}
      submitLabel={t("moveIn.start")}
      initialValues={{ consent: false }}
      validate={{ consent: (given) => (needsConsent && !given ? t("moveIn.consentMissing") : null) }}
      onSubmit={async ({ consent }) => {
        const { id } = await client.call("POST /host/imports/current/start", { choices: { ...choices, consent } });
        // The search and the order of the channels end with their table.
        const ended = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
        setSearch({ ...ended, done: String(id) });
        await refetch();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <div>{countsInWords(counts, t)}</div>
          <Hint>{t("moveIn.accounts")}</Hint>
          {needsConsent && (
            <Checkbox
              label={t("moveIn.consent")}
              description={t("moveIn.consentHint")}
              {...form.getInputProps("consent", { type: "checkbox" })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
