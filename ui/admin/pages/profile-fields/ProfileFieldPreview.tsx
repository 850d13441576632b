import { Box, Select, Textarea, TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { FIELD_TYPE } from "../../../../server/api/queries/profile-fields.ts";
import { Hint } from "../../../parts/text/Hint.tsx";

/** The types with a control other than a line of text: docs/protocol.md#other-records. */
export const FIELD = {
  LONG_TEXT: 2,
  SELECT: 3,
  DATE: 4,
  LINK: 5,
  EXTERNAL_ACCOUNT: 7,
} as const satisfies Partial<typeof FIELD_TYPE>;

export interface ProfileFieldPreviewProps {
  type: number;
  name: string;
  hint: string;
  required: boolean;
  /** The options of a list. */
  options: readonly string[];
  /** The URL of an external account. */
  urlPattern: string | undefined;
}

/** The field as people see it. It does not save its value. */
export function ProfileFieldPreview(props: ProfileFieldPreviewProps) {
  const { t } = useTranslation();
  return (
    <Box component="fieldset" miw={0} m={0} px="md" pt="sm" pb="md" bdrs="md" bd="1px solid var(--hearth-line)">
      <Box component="legend" px="xs">
        <Hint span>{t("profileFields.preview")}</Hint>
      </Box>
      <Control key={props.type} {...props} />
      {props.type === FIELD.EXTERNAL_ACCOUNT && props.urlPattern !== undefined && props.urlPattern.trim() !== "" && (
        <Hint mt="xs">{props.urlPattern.replaceAll("%(username)s", "ann")}</Hint>
      )}
    </Box>
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

/** Enter would submit the form around the preview. */
const stayInForm = (event: KeyboardEvent) => {
  if (event.key === "Enter") event.preventDefault();
};
