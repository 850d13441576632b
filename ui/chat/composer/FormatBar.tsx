import { Bold, Code, EyeOff, Italic, Link, List, type LucideIcon, Quote, Strikethrough } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../parts/IconButton.tsx";
import classes from "./Composer.module.css";
import { FORMATS, type Format } from "./formatting.ts";

const ICONS: Readonly<Record<Format, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  strike: Strikethrough,
  link: Link,
  code: Code,
  quote: Quote,
  list: List,
  spoiler: EyeOff,
};

export function FormatBar({ onFormat }: { onFormat(format: Format): void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.formats} role="toolbar" aria-label={t("writing.formatting")}>
      {FORMATS.map((format) => {
        const Icon = ICONS[format];
        return (
          <IconButton
            key={format}
            size="md"
            onPointerDown={(event) => event.preventDefault()} // keeps the selection of the text field
            onClick={() => onFormat(format)}
            label={t(`writing.formats.${format}`)}
          >
            <Icon size="1rem" aria-hidden="true" />
          </IconButton>
        );
      })}
    </div>
  );
}
