import { useEffect, useState } from "react";
import { Dialog, type DialogProps } from "./Dialog.tsx";

/** Opens once it is there: a dialog that begins open does not know what had the focus before, and could not return it. */
export function OpeningDialog({ opened = true, ...props }: DialogProps) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return <Dialog {...props} opened={opened && isThere} />;
}
