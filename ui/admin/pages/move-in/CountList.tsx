import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { bytes, number } from "../../../parts/format.ts";
import classes from "./MoveInPage.module.css";
import type { Counts } from "./use-imports.ts";

const MAIN = ["messages", "channels", "conversations", "people", "reactions", "emoji"] as const;

/** The counts of an import. Without the kinds that it has none of, except messages. */
export function CountList({ counts }: { counts: Counts }) {
  const { t } = useTranslation();
  const { files, elsewhere, missing } = counts;
  return (
    <dl className={classes.counts}>
      {MAIN.filter((kind) => kind === "messages" || counts[kind] > 0).map((kind) => (
        <Figure key={kind} label={t(`moveIn.counts.${kind}`)} value={number(counts[kind])} />
      ))}
      {files > 0 && <Figure label={t("moveIn.counts.files")} value={number(files)} hint={bytes(counts.bytes)} />}
      {elsewhere > 0 && (
        <Figure label={t("moveIn.counts.elsewhere")} value={number(elsewhere)} hint={t("moveIn.elsewhereHint")} />
      )}
      {missing > 0 && (
        <Figure label={t("moveIn.counts.missing")} value={number(missing)} hint={t("moveIn.missingHint")} />
      )}
    </dl>
  );
}

function Figure({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {hint && <dd>{hint}</dd>}
    </div>
  );
}

/** `82 messages · 2 channels · 5 people`, with the files. */
export const countsInWords = (counts: Counts, t: TFunction): string =>
  [
    t("moveIn.inWords.messages", { count: counts.messages }),
    t("moveIn.inWords.channels", { count: counts.channels }),
    counts.conversations > 0 && t("moveIn.inWords.conversations", { count: counts.conversations }),
    counts.people > 0 && t("moveIn.inWords.people", { count: counts.people }),
    counts.files > 0 && `${t("moveIn.inWords.files", { count: counts.files })} (${bytes(counts.bytes)})`,
  ]
    .filter(Boolean)
    .join(" · ");
