import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Refusal } from "../../api/client.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { type Crop, cropped, moved } from "./crop.ts";
import classes from "./Settings.module.css";

/** Side of the uploaded picture in pixels. The server makes the smaller ones. */
const SIDE = 500;

export function PicturePicker() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const picture = useChatState((state) => state.avatar_url_medium ?? state.avatar_url ?? "");
  const isOwn = useChatState(({ avatar_source }) => avatar_source === "U");
  const isFixed = useChatState((state) => state.realm_avatar_changes_disabled === true && state.is_admin !== true);
  const [image, setImage] = useState<HTMLImageElement>();
  const input = useRef<HTMLInputElement>(null);

  const choose = useMutation({
    mutationFn: (file: File) => loadImage(file, t("ownSettings.profile.noPicture")),
    onSuccess: setImage,
  });
  const remove = useMutation({ mutationFn: () => chat.client.call("DELETE /users/me/avatar", {}) });

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
              <Button size="sm" variant="subtle" color="gray" onClick={() => remove.mutate()}>
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
                const [file] = event.currentTarget.files ?? [];
                if (file) choose.mutate(file);
                event.currentTarget.value = "";
              }}
            />
          </div>
        )}
        <ErrorCallout error={choose.error ?? remove.error} />
      </div>
      {image && <CropDialog image={image} onClose={() => setImage(undefined)} />}
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

async function upload(content: Blob): Promise<void> {
  const form = new FormData();
  form.set("file", content, "picture.png");
  const response = await fetch("/api/v1/users/me/avatar", { method: "POST", body: form });
  const body = (await response.json()) as Record<string, unknown>;
  if (body["result"] !== "success") throw new Refusal(response.status, body);
}

interface CropDialogProps {
  image: HTMLImageElement;
  onClose(): void;
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [20, 0],
  ArrowRight: [-20, 0],
  ArrowUp: [0, 20],
  ArrowDown: [0, -20],
};

/** Selects the square part of a picture that is uploaded. */
function CropDialog({ image, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>({ zoom: 1, x: 0.5, y: 0.5 });
  const save = useMutation({ mutationFn: upload, onSuccess: onClose });
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
  const done = () => canvas.current?.toBlob((content) => content && save.mutate(content), "image/png");
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
        <ErrorCallout error={save.error} />
        <div className={classes.actions}>
          <Button variant="default" size="sm" onClick={onClose}>
            {t("chat.cancel")}
          </Button>
          <BusyButton size="sm" busy={save.isPending} onClick={done}>
            {t("ownSettings.profile.use")}
          </BusyButton>
        </div>
      </div>
    </Dialog>
  );
}
