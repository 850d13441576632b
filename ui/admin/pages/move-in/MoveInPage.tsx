import { Button, Group, Loader } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { problemInWords } from "../../../locales/i18n.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { bytes, number } from "../../../parts/format.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { usePageSearch } from "../../page-search.ts";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { WorkProgress } from "../../parts/WorkProgress.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { DoneImport } from "./DoneImport.tsx";
import { EarlierImports } from "./EarlierImports.tsx";
import { ImportPreview } from "./ImportPreview.tsx";
import { FetchingFiles } from "./SlackFiles.tsx";
import { StartImport } from "./StartImport.tsx";
import { uploads } from "./upload.ts";
import { type Current, type Import, useImports } from "./use-imports.ts";

/** Imports the history of another chat: upload, preview and choices, writing; and removal of earlier imports. */
export function MoveInPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useImports();
  return (
    <Page title={t("moveIn.title")} description={t("moveIn.lead")}>
      {!data && !error && <PageSkeleton />}
      {!data && <ErrorCallout error={error} />}
      {data && <Step current={data.current} imports={data.imports} refetch={refetch} />}
      {data && (
        <EarlierImports
          imports={data.imports}
          isBusy={data.current !== null && !["ready", "failed"].includes(data.current.stage)}
          refetch={refetch}
        />
      )}
    </Page>
  );
}

interface StepProps {
  current: Current | null;
  imports: readonly Import[];
  refetch(): Promise<void>;
}

function Step({ current, imports, refetch }: StepProps) {
  const [search] = usePageSearch();
  const upload = useStore(uploads, ({ current }) => current);
  const written = imports.find(({ id, state }) => String(id) === search["done"] && state === "done");
  if (upload) return <Uploading {...upload} />;
  switch (current?.stage) {
    case undefined:
      return written ? <DoneImport written={written} /> : <StartImport refetch={refetch} />;
    case "receiving":
      return <Receiving refetch={refetch} />;
    case "reading":
      return <Reading current={current as Current} refetch={refetch} />;
    case "ready":
      return <ImportPreview current={current as Current} refetch={refetch} />;
    case "fetching":
      return <FetchingFiles current={current as Current} refetch={refetch} />;
    case "writing":
      return <Writing current={current as Current} imports={imports} refetch={refetch} />;
    case "removing":
      return <Removing name={imports.find(({ state }) => state === "removing")?.name ?? current.name} />;
    case "failed":
      return <Failed current={current as Current} imports={imports} refetch={refetch} />;
  }
}

function useCancel(refetch: () => Promise<void>) {
  const client = useClient();
  return useMutation({ mutationFn: () => client.call("DELETE /host/imports/current", {}), onSettled: refetch });
}

function Uploading({ name, done, total, cancel }: { name: string; done: number; total: number; cancel(): void }) {
  const { t } = useTranslation();
  const text = t("moveIn.uploaded", { done: bytes(done), total: bytes(total) });
  return (
    <PageSection title={t("moveIn.uploading", { name })} description={t("moveIn.uploadingLead")}>
      <Group gap="0.75rem 1rem" align="start">
        <WorkProgress label={t("moveIn.uploading", { name })} done={done} total={total} text={text} />
        <Button variant="default" size="sm" onClick={cancel}>
          {t("form.cancel")}
        </Button>
      </Group>
    </PageSection>
  );
}

/** An upload from another page, or one that a reload has interrupted. */
function Receiving({ refetch }: Pick<StepProps, "refetch">) {
  const { t } = useTranslation();
  const discard = useCancel(refetch);
  return (
    <Callout
      tone="info"
      action={
        <Button variant="default" size="compact-sm" loading={discard.isPending} onClick={() => discard.mutate()}>
          {t("moveIn.discard")}
        </Button>
      }
    >
      {t("moveIn.receiving")}
    </Callout>
  );
}

function Reading({ current: { name, done }, refetch }: { current: Current } & Pick<StepProps, "refetch">) {
  const { t } = useTranslation();
  const cancel = useCancel(refetch);
  return (
    <PageSection title={t("moveIn.reading", { name })}>
      <Group justify="space-between" gap="0.75rem 1rem">
        <Group gap="sm" wrap="nowrap">
          <Loader size="sm" aria-hidden />
          {t("moveIn.read", { count: done })}
        </Group>
        <Button variant="default" size="sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t("form.cancel")}
        </Button>
      </Group>
    </PageSection>
  );
}

function Writing({ current: { name, done, total }, imports, refetch }: StepProps & { current: Current }) {
  const { t } = useTranslation();
  const cancel = useCancel(refetch);
  const [isAsking, setAsking] = useState(false);
  // A cancelled or failed import is removed before its stage ends.
  if (imports.some(({ state }) => state === "removing")) return <Removing name={name} />;
  return (
    <PageSection title={t("moveIn.writing", { name })} description={t("moveIn.writingLead")}>
      <Group gap="0.75rem 1rem" align="start">
        <WorkProgress
          label={t("moveIn.writing", { name })}
          done={done}
          total={total}
          text={t("moveIn.written", { done: number(done), total: number(total) })}
        />
        <Button variant="default" size="sm" onClick={() => setAsking(true)}>
          {t("moveIn.cancel")}
        </Button>
      </Group>
      {isAsking && (
        <ConfirmDialog
          title={t("moveIn.cancelTitle")}
          confirmLabel={t("moveIn.cancel")}
          onConfirm={() => cancel.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {t("moveIn.cancelText")}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

function Removing({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <PageSection title={t("moveIn.removing", { name })}>
      <Group gap="sm" wrap="nowrap" role="status">
        <Loader size="sm" aria-hidden />
        <Hint>{t("moveIn.removingLead")}</Hint>
      </Group>
    </PageSection>
  );
}

function Failed({ current: { name, problem }, imports, refetch }: StepProps & { current: Current }) {
  const { t } = useTranslation();
  const discard = useCancel(refetch);
  return (
    <PageSection title={name === "" ? t("moveIn.failed") : t("moveIn.failedNamed", { name })}>
      <Callout tone="error" role="alert">
        {problemInWords(problem)}
      </Callout>
      {imports.every(({ state }) => state === "done") && <Hint isLead>{t("moveIn.failedLead")}</Hint>}
      <div>
        <Button loading={discard.isPending} onClick={() => discard.mutate()}>
          {t("moveIn.startAgain")}
        </Button>
      </div>
    </PageSection>
  );
}
