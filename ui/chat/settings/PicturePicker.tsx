import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Refusal } from "../../api/client.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { type Crop, cropped, moved } from "./crop.ts";
import { SavingNote } from "./SavingNote.tsx";
import classes from "./Settings.module.css";
import { useSaving } from "./use-saving.ts";

/** Pixels of a side of what is uploaded; the server makes the smaller ones. */
const SIDE = 500;

/** One's own picture: uploads one, cut to a square as one likes it, or takes it away. */
export function PicturePicker() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const picture = useChatState((state) => state.avatar_url_medium ?? state.avatar_url ?? "");
  const isOwn = useChatState(({ avatar_source }) => avatar_source === "U");
  const isFixed = useChatState((state) => state.realm_avatar_changes_disabled === true && state.is_admin !== true);
  const [image, setImage] = useState<HTMLImageElement>();
  const [saving, save] = useSaving();
  const input = useRef<HTMLInputElement>(null);

  const choose = (file: File | undefined) => {
    if (file) void save(async () => setImage(await loadImage(file, t("ownSettings.profile.noPicture"))));
  };
  const upload = (content: Blob) =>
    save(async () => {
      const form = new FormData();
      form.set("file", content, "picture.png");
      const response = await fetch("/api/v1/users/me/avatar", { method: "POST", body: form });
      const answer = (await response.json()) as Record<string, unknown>;
      if (answer["result"] !== "success") throw new Refusal(response.status, answer);
      setImage(undefined);
    });

  return (
    <div className={classes.picture}>
      <img src={picture} alt="" width={96} height={96} />
      <div className={classes.form}>
        {isFixed ? (
          <p className={classes.hint}>{t("ownSettings.profile.pictureFixed")}</p>
        ) : (
          <div className={classes.actions}>
            <Button size="sm" variant="default" onClick={() => input.current?.click()}>
              {t("ownSettings.profile.upload")}
            </Button>
            {isOwn && (
              <Button
                size="sm"
                variant="subtle"
                color="gray"
                onClick={() => void save(() => chat.client.call("DELETE /users/me/avatar", {}))}
              >
                {t("ownSettings.profile.removePicture")}
              </Button>
            )}
            <input
              ref={input}
              className={classes.hidden}
              type="file"
              accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
              aria-label={t("ownSettings.profile.upload")}
              onChange={(event) => {
                choose(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </div>
        )}
        <SavingNote saving={saving} />
      </div>
      {image && <CropDialog image={image} onDone={upload} onClose={() => setImage(undefined)} />}
    </div>
  );
}

/** As a data: URL, which the Content-Security-Policy allows for pictures. */
async function loadImage(file: File, unreadable: string): Promise<HTMLImageElement> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(new Error(unreadable));
    reader.readAsDataURL(file);
  });
  const image = new Image();
  image.src = String(reader.result);
  try {
    await image.decode();
  } catch {
    throw new Error(unreadable);
  }
  return image;
}

interface CropDialogProps {
  image: HTMLImageElement;
  onDone(content: Blob): Promise<boolean>;
  onClose(): void;
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [20, 0],
  ArrowRight: [-20, 0],
  ArrowUp: [0, 20],
  ArrowDown: [0, -20],
};

/** Moves and enlarges a picture below a square frame. */
function CropDialog({ image, onDone, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>({ zoom: 1, x: 0.5, y: 0.5 });
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const { left, top, side } = cropped(image.naturalWidth, image.naturalHeight, crop);
    context.clearRect(0, 0, SIDE, SIDE);
    context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
  }, [image, crop]);
  const move = (dx: number, dy: number) => {
    const scale = SIDE / (canvas.current?.clientWidth ?? SIDE);
    setCrop((before) =>
      moved(image.naturalWidth, image.naturalHeight, before, (dx * scale) / SIDE, (dy * scale) / SIDE),
    );
  };
  const done = () => {
    setBusy(true);
    canvas.current?.toBlob((blob) => {
      if (blob) void onDone(blob).finally(() => setBusy(false));
    }, "image/png");
  };
  return (
    <Dialog title={t("ownSettings.profile.crop")} onClose={onClose} isForm>
      <div className={classes.crop}>
        <canvas
          ref={canvas}
          className={classes.frame}
          width={SIDE}
          height={SIDE}
          role="img"
          aria-label={t("ownSettings.profile.cropHint")}
          tabIndex={0}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => event.buttons > 0 && move(event.movementX, event.movementY)}
          onKeyDown={(event) => {
            const step = KEYS[event.key];
            if (!step) return;
            event.preventDefault();
            move(...step);
          }}
        />
        <p className={classes.hint}>{t("ownSettings.profile.cropHint")}</p>
        <input
          className={classes.zoom}
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={crop.zoom}
          aria-label={t("ownSettings.profile.zoom")}
          onChange={(event) => setCrop({ ...crop, zoom: Number(event.currentTarget.value) })}
        />
        <div className={classes.actions}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t("chat.cancel")}
          </Button>
          <BusyButton size="sm" busy={busy} onClick={done}>
            {t("ownSettings.profile.use")}
          </BusyButton>
        </div>
      </div>
    </Dialog>
  );
}
