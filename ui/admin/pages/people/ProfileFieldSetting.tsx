import { useTranslation } from "react-i18next";
import type { WireProfileField } from "../../../../server/api/presenters/profile-fields.ts";
import type { FIELD_TYPE, FieldType } from "../../../../server/api/queries/profile-fields.ts";
import { useClient } from "../../../api/client-context.ts";
import { ChoiceSetting, TextSetting } from "../../../parts/settings/settings.tsx";
import { type SavedOptions, useSaved } from "../../../parts/settings/use-saved.ts";
import { PeoplePicker } from "../../parts/pickers.tsx";
import type { Person } from "./use-people.ts";

/** The kinds that are typed otherwise than as a line of text: docs/protocol.md#other-records. */
const KIND = { LONG_TEXT: 2, SELECT: 3, DATE: 4, LINK: 5, USER: 6 } as const satisfies Partial<typeof FIELD_TYPE>;

export interface ProfileFieldSettingProps {
  field: WireProfileField;
  person: Person;
  disabled: boolean;
}

/** A person's value of one of the organization's own profile fields. */
export function ProfileFieldSetting({ field, person, disabled }: ProfileFieldSettingProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { id, name: label, hint: help, field_data } = field;
  const type = field.type as FieldType;
  const setting = {
    label,
    help,
    disabled,
    value: person.user.profile_data?.[id]?.value ?? "",
    save: (text: string) => {
      const value = type === KIND.USER ? (JSON.parse(text) as number[]) : text;
      const profile_data = [{ id, value: value.length === 0 ? null : value }];
      return client.call("PATCH /users/{user_id}", { user_id: person.id, profile_data });
    },
  };
  switch (type) {
    case KIND.SELECT: {
      const options = Object.entries(JSON.parse(field_data) as Record<string, { text: string; order: string }>);
      const choices = options
        .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
        .map(([value, { text }]) => ({ value, label: text }));
      return <ChoiceSetting {...setting} choices={[{ value: "", label: t("people.notSet") }, ...choices]} />;
    }
    case KIND.USER:
      return <PeopleField {...setting} value={setting.value || "[]"} />;
    case KIND.LONG_TEXT:
      return <TextSetting {...setting} multiline />;
    case KIND.DATE:
      return <TextSetting {...setting} type="date" />;
    case KIND.LINK:
      return <TextSetting {...setting} type="url" />;
    default:
      return <TextSetting {...setting} />;
  }
}

type PeopleFieldProps = Omit<SavedOptions<string>, "name"> & { label: string; help: string; disabled: boolean };

/** `value`: the JSON of a list of ids, as the server has it. */
function PeopleField({ label, help, disabled, ...options }: PeopleFieldProps) {
  const { shown, error, change } = useSaved({ ...options, name: label });
  return (
    <PeoplePicker
      label={label}
      description={help}
      error={error}
      disabled={disabled}
      value={JSON.parse(shown) as number[]}
      onChange={(ids) => change(JSON.stringify(ids))}
    />
  );
}
