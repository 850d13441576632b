import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Input } from "../../../api/client.ts";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { changedOptions } from "./list-options.ts";
import { FIELD, ProfileFieldPreview } from "./ProfileFieldPreview.tsx";

export type ProfileField = NonNullable<State["custom_profile_fields"]>[number];
export type FieldType = Input<"POST /realm/profile_fields">["field_type"];
type FieldData = NonNullable<Input<"POST /realm/profile_fields">["field_data"]>;

const { SELECT: LIST, EXTERNAL_ACCOUNT: ACCOUNT } = FIELD;
const CUSTOM_ACCOUNT = "custom";

interface Values extends Record<string, unknown> {
  type: string;
  name: string;
  hint: string;
  /** One option per line. */
  options: string;
  account: string;
  url_pattern: string;
  required: boolean;
  display_in_profile_summary: boolean;
  editable_by_user: boolean;
  use_for_user_matching: boolean;
}

interface ProfileFieldDialogProps {
  /** Undefined for a new field. */
  field: ProfileField | undefined;
  onClose(): void;
}

export function ProfileFieldDialog({ field, onClose }: ProfileFieldDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const types = useOrganization(({ custom_profile_field_types }) => custom_profile_field_types);
  const accounts = useOrganization(({ realm_default_external_accounts }) => realm_default_external_accounts);
  const data = parsedData(field);

  const initialValues: Values = {
    type: String(field?.type ?? 1),
    name: field?.name ?? "",
    hint: field?.hint ?? "",
    options: optionsOf(data)
      .map(({ text }) => text)
      .join("\n"),
    account: typeof data["subtype"] === "string" ? data["subtype"] : CUSTOM_ACCOUNT,
    url_pattern: typeof data["url_pattern"] === "string" ? data["url_pattern"] : "",
    required: field?.required ?? false,
    display_in_profile_summary: field?.display_in_profile_summary ?? false,
    editable_by_user: field?.editable_by_user ?? true,
    use_for_user_matching: field?.use_for_user_matching ?? false,
  };

  const submit = async ({ type, options, account, url_pattern, name, ...rest }: Values) => {
    const isNamed = Number(type) !== ACCOUNT || account === CUSTOM_ACCOUNT;
    const field_data = dataOf(Number(type), { options, account, url_pattern }, data);
    const input = { ...rest, ...(isNamed && { name: name.trim() }), ...(field_data && { field_data }) };
    if (field) await client.call("PATCH /realm/profile_fields/{field_id}", { field_id: field.id, ...input });
    else await client.call("POST /realm/profile_fields", { field_type: Number(type) as FieldType, ...input });
    noticeDone(t("saving.savedNamed", { name: name.trim() || account }));
  };

  return (
    <FormDialog
      title={field ? t("profileFields.editNamed", { name: field.name }) : t("profileFields.add")}
      submitLabel={t("profileFields.save")}
      initialValues={initialValues}
      validate={{
        name: (value, { type, account }) =>
          value.trim() === "" && (Number(type) !== ACCOUNT || account === CUSTOM_ACCOUNT)
            ? t("profileFields.missingName")
            : null,
        options: (value, { type }) =>
          Number(type) === LIST && value.trim() === "" ? t("profileFields.missingOptions") : null,
        url_pattern: (value, { type, account }) =>
          Number(type) === ACCOUNT && account === CUSTOM_ACCOUNT && value.trim() === ""
            ? t("profileFields.missingPattern")
            : null,
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => {
        const { type, account, name, hint, required, options, url_pattern } = form.getValues();
        const isAccount = Number(type) === ACCOUNT;
        const known = isAccount ? accounts?.[account] : undefined;
        return (
          <>
            <Select
              label={t("profileFields.type")}
              data={Object.values(types ?? {}).map(({ id }) => ({
                value: String(id),
                label: t(`profileFields.types.${id as FieldType}`),
              }))}
              allowDeselect={false}
              disabled={field !== undefined}
              {...form.getInputProps("type")}
            />
            {isAccount && (
              <Select
                label={t("profileFields.account")}
                allowDeselect={false}
                data={[
                  ...Object.entries(accounts ?? {}).map(([value, { name }]) => ({ value, label: name })),
                  { value: CUSTOM_ACCOUNT, label: t("profileFields.otherAccount") },
                ]}
                {...form.getInputProps("account")}
              />
            )}
            {(!isAccount || account === CUSTOM_ACCOUNT) && (
              <TextInput label={t("profileFields.name")} data-autofocus {...form.getInputProps("name")} />
            )}
            {isAccount && account === CUSTOM_ACCOUNT && (
              <TextInput
                label={t("profileFields.pattern")}
                description={t("profileFields.patternHelp", { variable: "%(username)s" })}
                placeholder={t("profileFields.patternExample")}
                {...form.getInputProps("url_pattern")}
              />
            )}
            {Number(type) === LIST && (
              <>
                <Textarea
                  label={t("profileFields.options")}
                  description={t("profileFields.optionsHelp")}
                  autosize
                  minRows={3}
                  {...form.getInputProps("options")}
                />
                {field && <LostChoices field={field} lines={form.getValues().options} />}
              </>
            )}
            <TextInput
              label={t("profileFields.hint")}
              description={t("profileFields.hintHelp")}
              {...form.getInputProps("hint")}
            />
            <Switch label={t("profileFields.isRequired")} {...form.getInputProps("required", { type: "checkbox" })} />
            <Switch
              label={t("profileFields.isInSummary")}
              {...form.getInputProps("display_in_profile_summary", { type: "checkbox" })}
            />
            <Switch
              label={t("profileFields.isEditable")}
              {...form.getInputProps("editable_by_user", { type: "checkbox" })}
            />
            <Switch
              label={t("profileFields.isMatched")}
              {...form.getInputProps("use_for_user_matching", { type: "checkbox" })}
            />
            <ProfileFieldPreview
              type={Number(type)}
              name={known?.name ?? name}
              hint={hint || (known?.hint ?? "")}
              required={required}
              options={changedOptions([], options).options.map(({ text }) => text)}
              urlPattern={isAccount ? (known?.url_pattern ?? url_pattern) : undefined}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

/** Warns about people's choices that the new list of options renames or deletes. */
function LostChoices({ field, lines }: { field: ProfileField; lines: string }) {
  const { t } = useTranslation();
  const users = useOrganization(({ realm_users }) => realm_users) ?? [];
  const { renamed, removed } = changedOptions(optionsOf(parsedData(field)), lines);
  const countOf = (key: string) => users.filter(({ profile_data }) => profile_data?.[field.id]?.value === key).length;
  const changes = [
    ...removed.map(({ key, text }) => ({ key, text: "optionRemoved" as const, from: text, to: "" })),
    ...renamed.map((option) => ({ ...option, text: "optionRenamed" as const })),
  ].filter(({ key }) => countOf(key) > 0);
  return (
    <div role="status">
      {changes.length > 0 && (
        <Callout tone={changes.some(({ text }) => text === "optionRemoved") ? "warning" : "info"}>
          {changes.map(({ key, text, from, to }) => (
            <p key={key}>{t(`profileFields.${text}`, { from, to, count: countOf(key) })}</p>
          ))}
        </Callout>
      )}
    </div>
  );
}

type StoredData = Record<string, string | { text: string; order: string }>;

const parsedData = (field: ProfileField | undefined): StoredData =>
  field?.field_data ? (JSON.parse(field.field_data) as StoredData) : {};

const optionsOf = (data: StoredData) =>
  Object.entries(data)
    .flatMap(([key, option]) => (typeof option === "object" ? [{ key, ...option }] : []))
    .sort((a, b) => Number(a.order) - Number(b.order));

interface Entered {
  options: string;
  account: string;
  url_pattern: string;
}

function dataOf(type: number, { options, account, url_pattern }: Entered, before: StoredData): FieldData | undefined {
  if (type === ACCOUNT)
    return account === CUSTOM_ACCOUNT ? { subtype: account, url_pattern: url_pattern.trim() } : { subtype: account };
  if (type !== LIST) return undefined;
  return Object.fromEntries(
    changedOptions(optionsOf(before), options).options.map(({ key, text }, index) => [
      key,
      { text, order: String(index + 1) },
    ]),
  );
}
