import { NumberInput, type NumberInputProps, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import classes from "./settings.module.css";
import { type SavedOptions, useSaved } from "./use-saved.ts";

/* Controls of one setting each. A switch or a choice saves at once, text when it is left or Enter is pressed. */

interface SettingTexts {
  label: string;
  help?: string | undefined;
  /** May not be changed by this person. */
  disabled?: boolean;
}

export type SettingProps<T> = SettingTexts & Omit<SavedOptions<T>, "name">;

export function SwitchSetting({ label, help, disabled, ...options }: SettingProps<boolean>) {
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  return (
    <Switch
      classNames={{ root: classes.switch }}
      label={label}
      description={help}
      error={error}
      checked={shown}
      disabled={disabled}
      aria-busy={isSaving}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

export interface ChoiceSettingProps<T extends string | number> extends SettingProps<T> {
  choices: readonly { value: T; label: string }[];
}

export function ChoiceSetting<T extends string | number>({
  label,
  help,
  disabled,
  choices,
  ...options
}: ChoiceSettingProps<T>) {
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  return (
    <Select
      size="md"
      label={label}
      description={help}
      error={error}
      disabled={disabled ?? false}
      aria-busy={isSaving}
      data={choices.map(({ value, label: name }) => ({ value: String(value), label: name }))}
      value={String(shown)}
      allowDeselect={false}
      searchable={choices.length > 12}
      onChange={(picked) => {
        const chosen = choices.find(({ value }) => String(value) === picked);
        if (chosen && chosen.value !== shown) change(chosen.value);
      }}
    />
  );
}

export interface TextSettingProps extends SettingProps<string> {
  /** Several lines: Enter makes a line, and leaving the field saves. */
  multiline?: boolean;
  /** What is typed in a field of one line. */
  type?: "text" | "email" | "url" | "date";
  placeholder?: string;
  maxLength?: number;
}

export function TextSetting({
  label,
  help,
  disabled,
  multiline = false,
  type = "text",
  placeholder,
  maxLength,
  ...options
}: TextSettingProps) {
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const [text, setText] = useTyped(shown);
  const common = {
    label,
    description: help,
    error,
    disabled: disabled ?? false,
    placeholder: placeholder ?? "",
    value: text,
    "aria-busy": isSaving,
    ...(maxLength !== undefined && { maxLength }),
    onBlur: () => text !== shown && change(text),
    // Escape takes back what was typed, and only then closes what the field is in.
    "data-mantine-stop-propagation": text !== shown,
    onKeyDown: (event: KeyboardEvent) => event.key === "Escape" && setText(shown),
  };
  if (multiline)
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={12}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      type={type}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        common.onKeyDown(event);
        if (event.key === "Enter" && text !== shown) change(text);
      }}
    />
  );
}

export interface NumberSettingProps extends SettingProps<number> {
  min?: number;
  max?: number;
  suffix?: string;
}

export function NumberSetting({ min, max, suffix, ...options }: NumberSettingProps) {
  return (
    <NumberField
      {...options}
      accepted={(text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined)}
      input={{ suffix: suffix ?? "", ...(min !== undefined && { min }), ...(max !== undefined && { max }) }}
    />
  );
}

/** A number that nothing limits while its field is empty. */
export function LimitSetting({ placeholder, ...options }: LimitSettingProps) {
  return (
    <NumberField
      {...options}
      accepted={(text) => (text === "" ? null : Number.isSafeInteger(Number(text)) ? Number(text) : undefined)}
      input={{ placeholder, thousandSeparator: ",", allowDecimal: false, min: 0 }}
    />
  );
}

interface NumberFieldProps<T extends number | null> extends SettingProps<T> {
  /** What is meant by a text; undefined where it is no such number. */
  accepted(text: number | string): NoInfer<T> | undefined;
  input: Pick<NumberInputProps, "suffix" | "min" | "max" | "placeholder" | "thousandSeparator" | "allowDecimal">;
}

function NumberField<T extends number | null>(props: NumberFieldProps<T>) {
  const { label, help, disabled, accepted, input, ...options } = props;
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const [text, setText] = useTyped<number | string>(shown ?? "");
  const submit = () => {
    const number = accepted(text);
    if (number === undefined) setText(shown ?? "");
    else if (number !== shown) change(number);
  };
  return (
    <NumberInput
      label={label}
      description={help}
      error={error}
      disabled={disabled ?? false}
      aria-busy={isSaving}
      {...input}
      value={text}
      onChange={setText}
      onBlur={submit}
      onKeyDown={(event) => event.key === "Enter" && submit()}
    />
  );
}

export interface LimitSettingProps extends SettingProps<number | null> {
  /** Shown where there is no limit. */
  placeholder: string;
}

/** What is being typed. Where nothing is, it follows the value that holds: what somebody else sets takes no text away. */
function useTyped<T>(shown: T): [T, (text: T) => void] {
  const [text, setText] = useState(shown);
  const [last, setLast] = useState(shown);
  // Not in an effect: a refusal would stand beside what was refused for a moment.
  if (!Object.is(last, shown)) {
    setLast(shown);
    if (String(text) === String(last)) setText(shown);
  }
  return [text, setText];
}
