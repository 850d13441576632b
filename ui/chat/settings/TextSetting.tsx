import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./Settings.module.css";

interface TextSettingProps {
  label: string;
  hint?: string;
  value: string;
  isFixed?: boolean;
  isLong?: boolean;
  type?: "text" | "date" | "url";
  /** Returns whether it was saved. */
  onSave(value: string): Promise<boolean>;
  note: React.ReactNode;
}

/** A text that is saved when one leaves it, or presses Enter; Escape takes back what was typed. */
export function TextSetting({ label, hint, value, isFixed, isLong, type = "text", onSave, note }: TextSettingProps) {
  const [typed, setTyped] = useState<string>();
  const save = async () => {
    if (typed === undefined) return;
    if (typed.trim() === value || (await onSave(typed.trim()))) setTyped(undefined);
  };
  const shared = {
    label,
    description: hint,
    value: typed ?? value,
    readOnly: isFixed,
    onBlur: () => void save(),
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") setTyped(undefined);
    if (event.key === "Enter" && (!isLong || event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <div className={classes.row}>
      {isLong ? (
        <Textarea
          {...shared}
          rows={3}
          onKeyDown={onKeyDown}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...shared}
          type={type}
          onKeyDown={onKeyDown}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {note}
    </div>
  );
}
