import { Select, Textarea, TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { FIELD } from "./field-types.ts";
import classes from "./ProfileFieldPreview.module.css";

export interface ProfileFieldPreviewProps {
  type: number;
  name: string;
  hint: string;
  required: boolean;
  /** What can be chosen from a list. */
  options: readonly string[];
  /** Where an account elsewhere is. */
  urlPattern: string | undefined;
}

/** The field as people fill it in. What is entered here is not kept. */
export function ProfileFieldPreview(props: ProfileFieldPreviewProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.preview}>
      <legend>{t("profileFields.preview")}</legend>
      <Control key={props.type} {...props} />
      {props.type === FIELD.EXTERNAL_ACCOUNT && props.urlPattern !== undefined && props.urlPattern.trim() !== "" && (
        <p className={classes.address}>{props.urlPattern.replaceAll("%(username)s", "ann")}</p>
      )}
    </fieldset>
  );
}

function Control({ type, name, hint, required, options }: ProfileFieldPreviewProps) {
  const { t } = useTranslation();
  const field = { label: name.trim() || t("profileFields.unnamed"), description: hint, withAsterisk: required };
  const line = { ...field, onKeyDown: stayInForm };
  switch (type) {
    case FIELD.SELECT:
      return (
        <Select
          {...field}
          data={[...options]}
          placeholder={t("people.notSet")}
          clearButtonProps={{ "aria-label": t("people.notSet") }}
          clearable
        />
      );
    case FIELD.LONG_TEXT:
      return <Textarea {...field} autosize minRows={2} />;
    case FIELD.DATE:
      return <TextInput {...line} type="date" />;
    case FIELD.LINK:
      return <TextInput {...line} type="url" />;
    default:
      return <TextInput {...line} />;
  }
}

/** Enter would save the form around it. */
const stayInForm = (event: KeyboardEvent) => {
  if (event.key === "Enter") event.preventDefault();
};
