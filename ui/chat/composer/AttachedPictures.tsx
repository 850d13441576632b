import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../parts/IconButton.tsx";
import { type AttachedPicture, attachedPictures } from "./attached-pictures.ts";
import classes from "./Composer.module.css";

/** Previews of the pictures in the text, so that the user does not send a wrong one. */
export function AttachedPictures({ text, onRemove }: { text: string; onRemove(picture: AttachedPicture): void }) {
  const { t } = useTranslation();
  const pictures = attachedPictures(text);
  if (pictures.length === 0) return null;
  return (
    <ul className={classes.pictures} aria-label={t("writing.files.pictures")}>
      {pictures.map((picture) => (
        <Picture key={picture.address} picture={picture} onRemove={onRemove} />
      ))}
    </ul>
  );
}

function Picture({ picture, onRemove }: { picture: AttachedPicture; onRemove(picture: AttachedPicture): void }) {
  const { t } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const { name, address } = picture;
  if (isBroken) return null; // the text still has the link
  const remove = t("writing.files.remove", { name });
  return (
    <li className={classes.picture}>
      <img src={address} alt={name} title={name} decoding="async" onError={() => setBroken(true)} />
      <IconButton
        className={classes.remove}
        variant="default"
        size="sm"
        radius="xl"
        onClick={() => onRemove(picture)}
        label={remove}
      >
        <X size="0.875rem" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
