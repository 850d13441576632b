import { Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./IconButton.tsx";

export interface EntryToolsProps {
  name: string;
  onEdit?: () => void;
  onRemove?: () => void;
}

export function EntryTools({ name, onEdit, onRemove }: EntryToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      {onEdit && (
        <IconButton label={t("entries.edit", { name })} onClick={onEdit}>
          <Pencil size="1rem" aria-hidden="true" />
        </IconButton>
      )}
      {onRemove && (
        <IconButton label={t("entries.remove", { name })} onClick={onRemove}>
          <Trash2 size="1rem" aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}
