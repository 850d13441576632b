import { Button, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { EntryList } from "../../parts/EntryList.tsx";
import { EntryTools } from "../../parts/EntryTools.tsx";
import { Page } from "../../parts/Page.tsx";
import { useRole } from "../../use-role.ts";
import { PlaygroundPreview } from "./PlaygroundPreview.tsx";

const NEW = { name: "", pygments_language: "", url_template: "" };

/** Sites that run code of a language, which apps open from a message's block of code. */
export function PlaygroundsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { isAdministrator } = useRole();
  const playgrounds = useOrganization(({ realm_playgrounds }) => realm_playgrounds) ?? [];
  const [search, setSearch] = usePageSearch();

  const remove = ({ id, ...playground }: (typeof playgrounds)[number]) =>
    client
      .call("DELETE /realm/playgrounds/{playground_id}", { playground_id: id })
      .then(
        () =>
          noticeDone(t("playgrounds.removed", { name: playground.name }), () =>
            client.call("POST /realm/playgrounds", playground),
          ),
        noticeError,
      );

  const add = isAdministrator && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("playgrounds.add")}
    </Button>
  );
  return (
    <Page
      title={t("nav.playgrounds")}
      description={t("playgrounds.lead")}
      width="narrow"
      actions={playgrounds.length > 0 && add}
    >
      {playgrounds.length === 0 ? (
        <EmptyState title={t("playgrounds.empty")} action={add}>
          {t("playgrounds.emptyHint")}
        </EmptyState>
      ) : (
        <EntryList
          label={t("nav.playgrounds")}
          target={search.open}
          entries={playgrounds.map((playground) => ({
            id: playground.id,
            name: playground.name,
            content: (
              <>
                <strong>{playground.name}</strong> <code>{playground.pygments_language}</code>
                <p>{playground.url_template}</p>
              </>
            ),
            tools: isAdministrator && <EntryTools name={playground.name} onRemove={() => void remove(playground)} />,
          }))}
        />
      )}
      {search.do === "add" && isAdministrator && (
        <FormDialog
          title={t("playgrounds.add")}
          submitLabel={t("playgrounds.add")}
          initialValues={NEW}
          validate={{
            name: (value) => (value.trim() === "" ? t("playgrounds.missingName") : null),
            pygments_language: (value) => (value.trim() === "" ? t("playgrounds.missingLanguage") : null),
            url_template: (value) => (value.trim() === "" ? t("playgrounds.missingTemplate") : null),
          }}
          onSubmit={(values) => client.call("POST /realm/playgrounds", values)}
          onClose={() => setSearch({ do: undefined })}
        >
          {(form) => (
            <>
              <TextInput
                label={t("playgrounds.name")}
                placeholder={t("playgrounds.nameExample")}
                data-autofocus
                {...form.getInputProps("name")}
              />
              <TextInput
                label={t("playgrounds.language")}
                description={t("playgrounds.languageHelp")}
                placeholder={t("playgrounds.languageExample")}
                {...form.getInputProps("pygments_language")}
              />
              <TextInput
                label={t("playgrounds.template")}
                description={t("playgrounds.templateHelp", { variable: "{code}" })}
                placeholder={t("playgrounds.templateExample")}
                {...form.getInputProps("url_template")}
              />
              <PlaygroundPreview name={form.getValues().name} template={form.getValues().url_template} />
            </>
          )}
        </FormDialog>
      )}
    </Page>
  );
}
