import type { WireProfileField } from "../../../server/api/presenters/profile-fields.ts";
import type { FIELD_TYPE, FieldType } from "../../../server/api/queries/profile-fields.ts";
import { PeoplePicker } from "../pickers.tsx";
import { ChoiceSetting, type SettingProps, TextSetting } from "./settings.tsx";
import { useSaved } from "./use-saved.ts";

/** The types that have a control of their own: docs/protocol.md#other-records. */
const TYPE = { LONG_TEXT: 2, SELECT: 3, DATE: 4, LINK: 5, USER: 6 } as const satisfies Partial<typeof FIELD_TYPE>;

export interface ProfileFieldSettingProps {
  field: Pick<WireProfileField, "name" | "type" | "field_data">;
  help: string;
  disabled: boolean;
  /** From the server: a text, or JSON for people. */
  value: string;
  /** Label of the choice without a value. */
  none: string;
  /** Null deletes the value. */
  save(value: string | readonly number[] | null): Promise<unknown>;
}

/** A person's value of a custom profile field. */
export function ProfileFieldSetting({ field, none, save, ...props }: ProfileFieldSettingProps) {
  const setting = { ...props, label: field.name, save: (text: string) => save(text === "" ? null : text) };
  switch (field.type as FieldType) {
    case TYPE.SELECT: {
      const options = Object.entries(JSON.parse(field.field_data) as Record<string, { text: string; order: string }>);
      const choices = options
        .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
        .map(([value, { text }]) => ({ value, label: text }));
      return <ChoiceSetting {...setting} choices={[{ value: "", label: none }, ...choices]} />;
    }
    case TYPE.USER: {
      const savePeople = (json: string) => {
        const ids = JSON.parse(json) as number[];
        return save(ids.length === 0 ? null : ids);
      };
      return <PeopleSetting {...setting} value={props.value || "[]"} save={savePeople} />;
    }
    case TYPE.LONG_TEXT:
      return <TextSetting {...setting} multiline />;
    case TYPE.DATE:
      return <TextSetting {...setting} type="date" />;
    case TYPE.LINK:
      return <TextSetting {...setting} type="url" />;
    default:
      return <TextSetting {...setting} />;
  }
}

/** `value`: a list of ids as JSON, as the server stores it. */
function PeopleSetting({ label, help, disabled = false, ...options }: SettingProps<string>) {
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
