import { Button, Group, Radio, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { bytes, dayAndTime, number } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { FileList, FileRow } from "../../parts/FileList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { WorkProgress } from "../../parts/WorkProgress.tsx";

type Exports = Answer<"GET /host/exports">;
type Export = Exports["exports"][number];

const ROUTE = "GET /host/exports";
/** No event reports the progress of an export. */
const POLL_MS = 700;
const CHANGED_BY = ["realm_export", "realm_export_consent", "realm_user"] as const;
const TYPES = ["1", "2"] as const;

function useExports() {
  const client = useClient();
  const queries = useQueryClient();
  const { organization } = useAdmin();
  const { data, error } = useQuery({
    queryKey: [ROUTE],
    queryFn: ({ signal }) => client.call(ROUTE, {}, signal),
    refetchInterval: (query) => (query.state.data?.work ? POLL_MS : false),
  });
  useEffect(
    () =>
      organization.onEvents((arrived) => {
        if (CHANGED_BY.some((type) => arrived.has(type))) void queries.invalidateQueries({ queryKey: [ROUTE] });
      }),
    [organization, queries],
  );
  return { data, error, refetch: () => queries.invalidateQueries({ queryKey: [ROUTE] }) };
}

/** Makes export archives and lists them. */
export function ExportSection({ folder }: { folder: string | undefined }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useExports();
  return (
    <PageSection title={t("exports.title")} description={t("exports.lead")}>
      {error && !data && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {data && <Begin exports={data} refetch={refetch} />}
      {data && <List exports={data} refetch={refetch} folder={folder} />}
    </PageSection>
  );
}

interface PartProps {
  exports: Exports;
  refetch(): Promise<void>;
}

function Begin({ exports: { work, people, consenting }, refetch }: PartProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [type, setType] = useState("1");
  const { mutate: run, error } = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
    onSettled: refetch,
  });
  const hintOf = (value: (typeof TYPES)[number]) =>
    value === "1"
      ? t("exports.typeHints.1")
      : `${t("exports.typeHints.2")} ${t("exports.agreed", { count: people, consenting: number(consenting) })} ${t("exports.agreeing")}`;
  return (
    <>
      <Radio.Group label={t("exports.what")} value={type} onChange={setType}>
        <Stack gap="sm" mt="xs">
          {TYPES.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`exports.types.${value}`)}
              description={hintOf(value)}
              disabled={work !== null}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group gap="0.75rem 1rem">
        <BusyButton
          busy={work !== null}
          variant="default"
          onClick={() => run(() => client.call("POST /export/realm", { export_type: Number(type) }))}
        >
          {t("exports.submit")}
        </BusyButton>
        {work && <Work work={work} />}
        {work && (
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            onClick={() => run(() => client.call("POST /host/exports/{export_id}/cancel", { export_id: work.id }))}
          >
            {t("exports.callOff")}
          </Button>
        )}
      </Group>
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
    </>
  );
}

function Work({ work: { phase, done, total } }: { work: NonNullable<Exports["work"]> }) {
  const { t } = useTranslation();
  const format = phase === "messages" ? number : bytes;
  const text =
    total === 0
      ? t("exports.making")
      : t(phase === "messages" ? "exports.readMessages" : "exports.copiedFiles", {
          done: format(done),
          total: format(total),
        });
  return <WorkProgress label={t("exports.making")} done={done} total={total} text={text} />;
}

function List({ exports: { exports }, refetch, folder }: PartProps & { folder: string | undefined }) {
  const { t } = useTranslation();
  const client = useClient();
  const [deleted, setDeleted] = useState<Export>();
  const available = exports.filter(({ state }) => state === "there");
  const newest = exports.find(({ state }) => state !== "deleted");
  return (
    <>
      {newest?.state === "failed" && (
        <Callout tone="warning" role="status">
          {t("exports.failed", { time: dayAndTime(newest.requested_at), why: problemInWords(newest.failure) })}
        </Callout>
      )}
      {available.length === 0 && newest === undefined && <Hint>{t("exports.empty")}</Hint>}
      {available.length > 0 && (
        <FileList label={t("exports.list")}>
          {available.map((item) => (
            <Row key={item.id} item={item} folder={folder} onDelete={() => setDeleted(item)} />
          ))}
        </FileList>
      )}
      {deleted && (
        <ConfirmDialog
          title={t("exports.deleteTitle")}
          confirmLabel={t("exports.delete")}
          onConfirm={async () => {
            await client.call("DELETE /export/realm/{export_id}", { export_id: deleted.id });
            await refetch();
          }}
          onClose={() => setDeleted(undefined)}
        >
          {t("exports.deleteText", { name: deleted.name, size: bytes(deleted.bytes ?? 0) })}
        </ConfirmDialog>
      )}
    </>
  );
}

function Row({ item, folder, onDelete }: { item: Export; folder: string | undefined; onDelete(): void }) {
  const { t } = useTranslation();
  const { session } = useAdmin();
  const maker = useOrganization(({ realm_users }) => realm_users?.find(({ user_id }) => user_id === item.made_by));
  const { holds, url } = item;
  // The desktop window cannot open URLs, so it fetches the file and saves it.
  const save = useMutation({ mutationFn: () => saveFile(url ?? "") });
  const time = dayAndTime(item.requested_at);
  return (
    <FileRow
      title={time}
      tools={
        <>
          {session.at_desktop ? (
            <BusyButton
              busy={save.isPending}
              size="compact-sm"
              variant="subtle"
              aria-label={t("exports.downloadNamed", { time })}
              onClick={() => save.mutate()}
            >
              {t("exports.download")}
            </BusyButton>
          ) : (
            <Button
              component="a"
              href={url ?? undefined}
              download={item.name}
              size="compact-sm"
              variant="subtle"
              aria-label={t("exports.downloadNamed", { time })}
            >
              {t("exports.download")}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label={t("exports.deleteNamed", { time })}
            onClick={onDelete}
          >
            {t("exports.deleteShort")}
          </Button>
        </>
      }
    >
      <Hint>
        {[
          t(`exports.types.${item.type === 2 ? "2" : "1"}`),
          holds && t("exports.people", { count: holds.people }),
          holds && t("exports.channels", { count: holds.channels }),
          holds && t("exports.messages", { count: holds.messages }),
          holds && t("exports.files", { count: holds.files }),
          bytes(item.bytes ?? 0),
          maker && t("exports.by", { name: maker.full_name }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </Hint>
      {session.at_desktop && folder !== undefined && (
        <Hint>{t("exports.alsoIn", { folder: `${folder}/exports/${item.name}` })}</Hint>
      )}
      {save.error && (
        <Callout tone="error" role="alert">
          {errorMessage(save.error)}
        </Callout>
      )}
    </FileRow>
  );
}
