import { Button } from "@mantine/core";
import { useRef } from "react";

export interface PictureButtonProps {
  children: string;
  /** Says what the picture is for, if the text does not. */
  "aria-label"?: string;
  disabled?: boolean;
  onPicked(file: File): void;
}

/** A button that lets the user choose a picture. */
export function PictureButton({ children, onPicked, ...props }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => input.current?.click()} {...props}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = ""; // so that the user can choose the same file again
          if (file) onPicked(file);
        }}
      />
    </>
  );
}
