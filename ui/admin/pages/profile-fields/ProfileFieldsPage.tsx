import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { EntryList } from "../../parts/EntryList.tsx";
import { EntryTools } from "../../parts/EntryTools.tsx";
import { Page } from "../../parts/Page.tsx";
import { useRole } from "../../use-role.ts";
import { type FieldType, type ProfileField, ProfileFieldDialog } from "./ProfileFieldDialog.tsx";

/** The fields of people's profiles. */
export function ProfileFieldsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { isAdministrator } = useRole();
  const fields = useOrganization(({ custom_profile_fields }) => custom_profile_fields) ?? [];
  const users = useOrganization(({ realm_users }) => realm_users) ?? [];
  const [search, setSearch] = usePageSearch();
  const [deleting, setDeleting] = useState<ProfileField>();

  const edited = isAdministrator ? fields.find(({ id }) => String(id) === search.open) : undefined;
  const userCount = (id: number) => users.filter(({ profile_data }) => profile_data?.[id] !== undefined).length;
  const reorder = (order: number[]) => client.call("PATCH /realm/profile_fields", { order });
  const marks = ({ required, display_in_profile_summary, editable_by_user }: ProfileField) =>
    [
      required && t("profileFields.required"),
      display_in_profile_summary && t("profileFields.inSummary"),
      !editable_by_user && t("profileFields.administratorsOnly"),
    ].filter((mark) => typeof mark === "string");

  const addButton = isAdministrator && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("profileFields.add")}
    </Button>
  );
  return (
    <Page
      title={t("nav.profileFields")}
      description={t("profileFields.lead")}
      width="narrow"
      actions={fields.length > 0 && addButton}
    >
      {fields.length === 0 ? (
        <EmptyState title={t("profileFields.empty")} action={addButton}>
          {t("profileFields.emptyHint")}
        </EmptyState>
      ) : (
        <EntryList
          label={t("nav.profileFields")}
          {...(isAdministrator && { onReorder: reorder })}
          entries={fields.map((field) => ({
            id: field.id,
            name: field.name,
            content: (
              <>
                <strong>{field.name}</strong>
                <p>
                  {[t(`profileFields.types.${field.type as FieldType}`), ...marks(field), field.hint]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </>
            ),
            tools: isAdministrator && (
              <EntryTools
                name={field.name}
                onEdit={() => setSearch({ open: String(field.id) })}
                onRemove={() => setDeleting(field)}
              />
            ),
          }))}
        />
      )}
      {search.do === "add" && isAdministrator && (
        <ProfileFieldDialog field={undefined} onClose={() => setSearch({ do: undefined })} />
      )}
      {edited && <ProfileFieldDialog key={edited.id} field={edited} onClose={() => setSearch({ open: undefined })} />}
      {deleting && (
        <ConfirmDialog
          title={t("profileFields.deleteTitle", { name: deleting.name })}
          confirmLabel={t("profileFields.delete")}
          {...(userCount(deleting.id) > 0 && { typedName: deleting.name })}
          onConfirm={async () => {
            await client.call("DELETE /realm/profile_fields/{field_id}", { field_id: deleting.id });
            noticeDone(t("profileFields.deleted", { name: deleting.name }));
          }}
          onClose={() => setDeleting(undefined)}
        >
          {t("profileFields.consequences", { count: userCount(deleting.id) })}
        </ConfirmDialog>
      )}
    </Page>
  );
}
