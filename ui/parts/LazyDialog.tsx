import { useState } from "react";
import type { DialogProps } from "./Dialog.tsx";
import { lazyPart } from "./lazy-part.ts";

const OpeningDialog = lazyPart(() =>
  import("./OpeningDialog.tsx").then((module) => ({ default: module.OpeningDialog })),
);

/** A dialog that loads when it opens for the first time. */
export function LazyDialog(props: DialogProps & { opened: boolean }) {
  const [wasOpened, setOpened] = useState(props.opened);
  if (props.opened && !wasOpened) setOpened(true);
  return wasOpened && <OpeningDialog {...props} />;
}
