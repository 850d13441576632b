import { Button } from "@mantine/core";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemInWords } from "../../locales/i18n.ts";
import { bytes } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import type { Upload } from "../model/uploads.ts";
import { IconButton } from "../parts/IconButton.tsx";
import classes from "./Composer.module.css";

export function UploadList({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useTranslation();
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.uploads} aria-label={t("writing.files.label")}>
      {uploads.map((upload) => (
        <UploadLine key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function UploadLine({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const { id, file, state, percent, reason, problem } = upload;
  const { name } = file;
  const why = {
    refused: problemInWords(problem),
    unreachable: t("writing.files.unreachable"),
    tooLarge: t("writing.files.tooLarge", { size: bytes(file.size) }),
  };
  return (
    <li className={classes.file} data-state={state}>
      <span className={classes.fileName} title={name}>
        <bdi>{name}</bdi>
      </span>
      {state === "failed" ? (
        <span className={classes.fileError} role="alert">
          {reason && why[reason]}
        </span>
      ) : (
        <progress className={classes.progress} value={percent} max={100} aria-label={name} />
      )}
      {state === "failed" && reason !== "tooLarge" && (
        <Button size="compact-xs" variant="light" onClick={() => chat.uploads.retry(id)}>
          {t("chat.outgoing.retry")}
        </Button>
      )}
      <IconButton
        size="md"
        onClick={() => chat.uploads.remove(id)}
        label={t(state === "failed" ? "writing.files.remove" : "writing.files.cancel", { name })}
      >
        <X size="1rem" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
