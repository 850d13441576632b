import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { FileArchive } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useFileDrop } from "../../../parts/use-file-drop.ts";
import { useAdmin } from "../../admin-context.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import { type ChosenExport, droppedExport, selectedExport } from "./export-files.ts";
import classes from "./MoveInPage.module.css";
import { uploadExport, uploads } from "./upload.ts";

const SOURCES = ["slack", "mattermost", "rocketchat", "discord", "teams", "zulip", "hearth"] as const;

export function StartImport({ refetch }: { refetch(): Promise<void> }) {
  const { t } = useTranslation();
  return (
    <>
      <PageSection title={t("moveIn.choose")} description={t("moveIn.chooseLead")}>
        <DropZone refetch={refetch} />
      </PageSection>
      <PageSection title={t("moveIn.sources")}>
        <div className={classes.sources}>
          {SOURCES.map((source) => (
            <details key={source} name="source">
              <summary>{t(`moveIn.formats.${source}`)}</summary>
              <Hint isLead>{t(`moveIn.howTo.${source}`)}</Hint>
            </details>
          ))}
        </div>
      </PageSection>
    </>
  );
}

function DropZone({ refetch }: { refetch(): Promise<void> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { desktop } = useAdmin();
  const file = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const uploadError = useStore(uploads, ({ error }) => error);
  const start = useMutation({
    mutationFn: async ({ name, path, files }: ChosenExport) => {
      if (path !== undefined) return client.call("POST /host/imports/current", { path });
      const found = await files();
      const uploading = uploadExport(client, name ?? t("moveIn.files", { count: found.length }), found);
      await refetch();
      return uploading;
    },
    // Another step replaces this component before the upload ends.
    onSettled: refetch,
  });
  const begin = (chosen: ChosenExport) => {
    uploads.set({});
    start.mutate(chosen);
  };
  const isOver = useFileDrop((data) => begin(droppedExport(data, desktop?.pathOf)), { capture: true });
  const field = { type: "file", hidden: true, multiple: true } as const;
  const onChange = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    if (currentTarget.files?.length) begin(selectedExport(currentTarget.files, desktop?.pathOf));
    currentTarget.value = ""; // the same file can be chosen again
  };
  return (
    <>
      <div className={classes.drop} data-over={isOver}>
        <FileArchive size="1.75rem" aria-hidden="true" />
        <Text fw="var(--hearth-semibold)">{t("moveIn.drop")}</Text>
        <Hint>{t("moveIn.dropHint")}</Hint>
        <Group gap="xs" justify="center" mt="xs">
          <Button loading={start.isPending} onClick={() => file.current?.click()}>
            {t("moveIn.chooseFile")}
          </Button>
          <Button variant="default" disabled={start.isPending} onClick={() => folder.current?.click()}>
            {t("moveIn.chooseFolder")}
          </Button>
        </Group>
        <input {...field} ref={file} aria-label={t("moveIn.chooseFile")} onChange={onChange} />
        <input
          {...field}
          ref={folder}
          {...{ webkitdirectory: "" }}
          aria-label={t("moveIn.chooseFolder")}
          onChange={onChange}
        />
      </div>
      <ErrorCallout error={start.error ?? uploadError} />
    </>
  );
}
