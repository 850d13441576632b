import { Button, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { EntryList } from "../../parts/EntryList.tsx";
import { EntryTools } from "../../parts/EntryTools.tsx";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { useRole } from "../../use-role.ts";
import { useWrite } from "../../use-write.ts";
import { RenderedPreview } from "./RenderedPreview.tsx";

const NEW = { id: undefined, pattern: "", url_template: "" };

/** Patterns whose matches in messages and topics become links. */
export function LinkifiersPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const { isAdministrator } = useRole();
  const linkifiers = useOrganization(({ realm_linkifiers }) => realm_linkifiers) ?? [];
  const [search, setSearch] = usePageSearch();
  const opened = search.do === "add" ? NEW : linkifiers.find(({ id }) => String(id) === search.open);
  const edited = isAdministrator && opened;
  const close = () => setSearch(search.do === "add" ? { do: undefined } : { open: undefined });

  const remove = ({ id: filter_id, example_input, reverse_template, ...rest }: (typeof linkifiers)[number]) =>
    write({
      run: () => client.call("DELETE /realm/filters/{filter_id}", { filter_id }),
      done: t("linkifiers.removed", { pattern: rest.pattern }),
      undo: () =>
        client.call("POST /realm/filters", {
          ...rest,
          example_input: example_input ?? "",
          reverse_template: reverse_template ?? "",
        }),
    });
  const reorder = (ids: number[]) => client.call("PATCH /realm/linkifiers", { ordered_linkifier_ids: ids });

  const addButton = isAdministrator && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("linkifiers.add")}
    </Button>
  );
  return (
    <Page
      title={t("nav.linkifiers")}
      description={t("linkifiers.lead")}
      width="narrow"
      actions={linkifiers.length > 0 && addButton}
    >
      {linkifiers.length === 0 ? (
        <EmptyState title={t("linkifiers.empty")} action={addButton}>
          {t("linkifiers.emptyHint")}
        </EmptyState>
      ) : (
        <EntryList
          label={t("nav.linkifiers")}
          {...(isAdministrator && { onReorder: reorder })}
          entries={linkifiers.map((linkifier) => ({
            id: linkifier.id,
            name: linkifier.pattern,
            content: (
              <>
                <code>{linkifier.pattern}</code>
                <p>{linkifier.url_template}</p>
              </>
            ),
            tools: isAdministrator && (
              <EntryTools
                name={linkifier.pattern}
                onEdit={() => setSearch({ open: String(linkifier.id) })}
                onRemove={() => remove(linkifier)}
              />
            ),
          }))}
        />
      )}
      <PageSection title={t("linkifiers.preview")} description={t("linkifiers.previewHint")}>
        <RenderedPreview dependsOn={linkifiers} />
      </PageSection>
      {edited && (
        <FormDialog
          title={edited.id === undefined ? t("linkifiers.add") : t("linkifiers.edit")}
          submitLabel={t("linkifiers.save")}
          initialValues={{ pattern: edited.pattern, url_template: edited.url_template }}
          validate={{
            pattern: (value) => (value.trim() === "" ? t("linkifiers.missingPattern") : null),
            url_template: (value) => (value.trim() === "" ? t("linkifiers.missingTemplate") : null),
          }}
          onSubmit={(values) =>
            edited.id === undefined
              ? client.call("POST /realm/filters", values)
              : client.call("PATCH /realm/filters/{filter_id}", { filter_id: edited.id, ...values })
          }
          onClose={close}
        >
          {(form) => (
            <>
              <TextInput
                label={t("linkifiers.pattern")}
                description={t("linkifiers.patternHelp")}
                placeholder={t("linkifiers.patternExample")}
                data-autofocus
                {...form.getInputProps("pattern")}
              />
              <TextInput
                label={t("linkifiers.template")}
                description={t("linkifiers.templateHelp")}
                placeholder={t("linkifiers.templateExample")}
                {...form.getInputProps("url_template")}
              />
            </>
          )}
        </FormDialog>
      )}
    </Page>
  );
}
