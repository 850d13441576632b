import { Select, Skeleton, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { usePageSearch } from "../../page-search.ts";
import { BulletList } from "../../parts/BulletList.tsx";
import { useAnswer } from "../../use-answer.ts";
import { mayChange, type Person, usePeople, useRights } from "./use-people.ts";

const SHOWN = 50;
const COUNTED = ["messages", "reactions", "conversations", "channels"] as const;

interface Values extends Record<string, unknown> {
  /** The chosen account's ID. */
  into: string | null;
}

/** Merges an imported person into an account, and says what moves. */
export function MergePerson({ person: { id: user_id, name }, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const rights = useRights();
  const [, setSearch] = usePageSearch();
  const accounts = usePeople(rights).filter((person) => person.user.is_active && mayChange(rights, person));
  const counts = useAnswer("GET /host/imported-people/{user_id}", { user_id }, { changedBy: [], isAlwaysStale: true });

  const merge = async ({ into }: Values) => {
    const { is_done } = await client.call("POST /host/imported-people/{user_id}/merge", {
      user_id,
      into: Number(into),
    });
    const chosen = accounts.find(({ id }) => String(id) === into)?.name ?? "";
    setSearch({ open: into ?? undefined });
    noticeDone(t(is_done ? "importedPeople.merged" : "importedPeople.merging", { name, into: chosen }));
  };

  return (
    <FormDialog<Values>
      title={t("importedPeople.mergeTitle", { name })}
      submitLabel={t("importedPeople.mergeSubmit")}
      initialValues={{ into: null }}
      validate={{ into: (into) => (into ? null : t("importedPeople.mergeMissing")) }}
      onSubmit={merge}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Select
            size="md"
            label={t("importedPeople.mergeInto")}
            description={t("importedPeople.mergeIntoHint", { name })}
            searchable
            // The list would cover what moves.
            openOnFocus={false}
            limit={SHOWN}
            nothingFoundMessage={t("people.nobody")}
            data={accounts.map((account) => ({
              value: String(account.id),
              label: account.email ? `${account.name} (${account.email})` : account.name,
            }))}
            data-autofocus
            {...form.getInputProps("into")}
          />
          <div>
            <Text>{t("importedPeople.mergeMoves")}</Text>
            <ErrorCallout error={counts.error} />
            {counts.isPending && <Skeleton height="6rem" />}
            {counts.data && (
              <BulletList>
                {COUNTED.map((kind) => (
                  <li key={kind}>{t(`importedPeople.moves.${kind}`, { count: counts.data[kind] })}</li>
                ))}
              </BulletList>
            )}
          </div>
          <Callout tone="warning">{t("importedPeople.mergeHint", { name })}</Callout>
        </>
      )}
    </FormDialog>
  );
}
