import { Button, NumberInput, type NumberInputProps, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { numberSeparators } from "../format.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import classes from "./settings.module.css";
import { type SavedOptions, useSaved } from "./use-saved.ts";

/* Each control saves one setting: a switch or choice immediately, a text on blur or Enter. */

interface SettingTexts {
  label: string;
  help?: string | undefined;
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
  /** Asks before a far-reaching choice is saved. Undefined: no question. */
  ask?(value: T): { title: string; consequences: string } | undefined;
}

export function ChoiceSetting<T extends string | number>({
  label,
  help,
  disabled,
  choices,
  ask,
  ...options
}: ChoiceSettingProps<T>) {
  const { t } = useTranslation();
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const [asked, setAsked] = useState<T>();
  const question = asked === undefined ? undefined : ask?.(asked);
  return (
    <>
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
          if (!chosen || chosen.value === shown) return;
          if (ask?.(chosen.value)) setAsked(chosen.value);
          else change(chosen.value);
        }}
      />
      {question && (
        <ConfirmDialog
          title={question.title}
          confirmLabel={t("confirm.change")}
          onConfirm={async () => change(asked as T)}
          onClose={() => setAsked(undefined)}
        >
          {question.consequences}
        </ConfirmDialog>
      )}
    </>
  );
}

export interface TextSettingProps extends Omit<SettingProps<string>, "help"> {
  help?: ReactNode;
  /** Several lines: Enter adds a line, and blur saves. */
  multiline?: boolean;
  /** For a field with one line. */
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
  const typed = useTyped(shown, change);
  const common = {
    label,
    description: help,
    error,
    disabled: disabled ?? false,
    placeholder: placeholder ?? "",
    "aria-busy": isSaving,
    ...(maxLength !== undefined && { maxLength }),
    ...typed.handlers,
    value: typed.text,
    onChange: (event: { currentTarget: { value: string } }) => typed.setText(event.currentTarget.value),
  };
  return (
    <div>
      {multiline ? (
        <Textarea {...common} autosize minRows={2} maxRows={12} />
      ) : (
        <TextInput {...common} type={type} onKeyDown={typed.onKeyDown} />
      )}
      {typed.isOutdated && <ChangedMeanwhile now={shown} keep={typed.submit} take={() => typed.setText(shown)} />}
    </div>
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

/** A number. An empty field means no limit. */
export function LimitSetting({ placeholder, min = 0, max, ...options }: LimitSettingProps) {
  return (
    <NumberField
      {...options}
      accepted={(text) => (text === "" ? null : Number.isSafeInteger(Number(text)) ? Number(text) : undefined)}
      input={{ placeholder, ...numberSeparators(), allowDecimal: false, min, ...(max !== undefined && { max }) }}
    />
  );
}

interface NumberFieldProps<T extends number | null> extends SettingProps<T> {
  /** Parses a text. Undefined if it is not a valid number. */
  accepted(text: number | string): NoInfer<T> | undefined;
  input: Pick<
    NumberInputProps,
    "suffix" | "min" | "max" | "placeholder" | "thousandSeparator" | "decimalSeparator" | "allowDecimal"
  >;
}

function NumberField<T extends number | null>(props: NumberFieldProps<T>) {
  const { label, help, disabled, accepted, input, ...options } = props;
  const { shown, error, isSaving, change } = useSaved({ ...options, name: label });
  const typed = useTyped<number | string>(shown ?? "", (text) => {
    const number = accepted(text);
    if (number === undefined) typed.setText(shown ?? "");
    else if (number !== shown) change(number);
  });
  return (
    <div>
      <NumberInput
        label={label}
        description={help}
        error={error}
        disabled={disabled ?? false}
        aria-busy={isSaving}
        {...input}
        {...typed.handlers}
        value={typed.text}
        onChange={typed.setText}
        onKeyDown={typed.onKeyDown}
      />
      {typed.isOutdated && (
        <ChangedMeanwhile
          now={shown === null ? input.placeholder : String(shown)}
          keep={typed.submit}
          take={() => typed.setText(shown ?? "")}
        />
      )}
    </div>
  );
}

export interface LimitSettingProps extends SettingProps<number | null> {
  /** Shown while there is no limit. */
  placeholder: string;
  min?: number;
  max?: number;
}

interface Typed<T> {
  readonly text: T;
  setText(text: T): void;
  /** Saves the text if it differs from the current value. */
  submit(): void;
  /** Another person set another value during typing. Then only `submit` saves the text. */
  readonly isOutdated: boolean;
  readonly handlers: {
    onBlur(): void;
    onKeyDown(event: KeyboardEvent): void;
    "data-mantine-stop-propagation": boolean;
  };
  /** For fields with one line: Enter submits. */
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * The text of a field. It follows the current value until the user types. A typed text is saved on blur, and when the
 * field unmounts, for example by Back. Escape restores the current value.
 */
function useTyped<T extends string | number>(shown: T, save: (text: T) => void): Typed<T> {
  const [text, setText] = useState(shown);
  const [last, setLast] = useState(shown);
  const [isPassed, setPassed] = useState(false);
  const isTyped = String(text) !== String(shown);
  // Not in an effect: an error would appear next to the refused text for a moment.
  if (!Object.is(last, shown)) {
    setLast(shown);
    if (String(text) === String(last)) setText(shown);
    else setPassed(true);
  }
  if (isPassed && !isTyped) setPassed(false);
  const isOutdated = isPassed && isTyped;
  const submit = () => isTyped && save(text);
  const leave = () => void (!isOutdated && submit());
  const onUnmount = useEffectEvent(leave);
  useEffect(() => () => onUnmount(), []);
  const takeBack = (event: KeyboardEvent) => {
    if (event.key === "Escape") setText(shown);
  };
  return {
    text,
    setText,
    submit,
    isOutdated,
    // Escape restores a typed text before it closes the drawer or dialog around the field.
    handlers: { onBlur: leave, onKeyDown: takeBack, "data-mantine-stop-propagation": isTyped },
    onKeyDown: (event) => {
      takeBack(event);
      if (event.key === "Enter") submit();
    },
  };
}

interface ChangedMeanwhileProps {
  /** The current value. */
  now: string | undefined;
  keep(): void;
  take(): void;
}

const MAX_SHOWN = 80;

function ChangedMeanwhile({ now = "", keep, take }: ChangedMeanwhileProps) {
  const { t } = useTranslation();
  const value = now.length > MAX_SHOWN ? `${now.slice(0, MAX_SHOWN)}…` : now;
  return (
    <div className={classes.meanwhile} role="status">
      <span>{value === "" ? t("saving.emptiedMeanwhile") : t("saving.changedMeanwhile", { value })}</span>
      <Button size="compact-sm" variant="default" onClick={keep}>
        {t("saving.keepMine")}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={take}>
        {t("saving.takeTheirs")}
      </Button>
    </div>
  );
}
