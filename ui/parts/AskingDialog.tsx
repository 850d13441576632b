import { type FocusEvent, type ReactNode, useRef, useState } from "react";
import { Dialog } from "./Dialog.tsx";
import { DiscardQuestion } from "./DiscardQuestion.tsx";

export interface AskingDialogProps {
  title: string;
  /** Closed, sent or not. */
  onClose(): void;
  /** The form. `leave` closes it, as its button for that and Escape and Back do: it asks first if something was typed. */
  children(leave: () => void): ReactNode;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A form in a dialog that asks before what was typed in it is dropped. */
export function AskingDialog({ title, onClose, children }: AskingDialogProps) {
  const [asks, setAsks] = useState(false);
  /** What text fields held when they got the focus first. */
  const before = useRef(new Map<TextField, string>());
  const noteField = ({ target }: FocusEvent) => {
    const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isText && !before.current.has(target)) before.current.set(target, target.value);
  };
  const wasTypedIn = () =>
    [...before.current].some(
      ([field, value]) => field.isConnected && field.value !== value && field.value.trim() !== "",
    );
  const leave = () => (wasTypedIn() ? setAsks(true) : onClose());
  return (
    <Dialog title={title} onClose={leave} isForm>
      <div onFocusCapture={noteField}>{children(leave)}</div>
      {asks && <DiscardQuestion onDiscard={onClose} onStay={() => setAsks(false)} />}
    </Dialog>
  );
}
