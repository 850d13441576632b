import { ActionIcon, TextInput } from "@mantine/core";
import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

export interface PasswordFieldProps {
  name: string;
  label: string;
  autoComplete: "current-password" | "new-password";
  error?: ReactNode;
  description?: ReactNode;
  autoFocus?: boolean;
  onValue?(value: string): void;
  onFocus?(): void;
}

/** Mantine's PasswordInput does not tell screen readers that its value is invalid. */
export function PasswordField({ onValue, ...props }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  const toggle = t(isVisible ? "password.hide" : "password.show");
  return (
    <TextInput
      {...props}
      type={isVisible ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onValue?.(event.currentTarget.value)}
      rightSectionPointerEvents="all"
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={toggle}
          title={toggle}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon size="1.125rem" aria-hidden="true" />
        </ActionIcon>
      }
    />
  );
}
