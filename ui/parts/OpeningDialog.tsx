import { useEffect, useState } from "react";
import { Dialog, type DialogProps } from "./Dialog.tsx";

/** Opens after it mounts: a dialog that mounts open could not return the focus. */
export function OpeningDialog({ opened = true, ...props }: DialogProps) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return <Dialog {...props} opened={opened && isThere} />;
}
