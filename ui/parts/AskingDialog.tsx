import { createContext, type FocusEvent, type ReactNode, useContext, useRef } from "react";
import { Dialog } from "./Dialog.tsx";
import { DiscardQuestion } from "./DiscardQuestion.tsx";
import { useDiscardQuestion } from "./use-discard-question.ts";

export interface AskingDialogProps {
  title: string;
  /** Called whether the form was submitted or not. */
  onClose(): void;
  /**
   * The form, with its buttons in FormButtons. `leave` closes the dialog like Escape and Back: it asks first if the user
   * has typed.
   */
  children(leave: () => void): ReactNode;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The open question whether to discard the input. */
const Question = createContext<ReactNode>(undefined);

/** A form in a dialog that asks before it discards input. */
export function AskingDialog({ title, onClose, children }: AskingDialogProps) {
  /** The values of text fields at their first focus. */
  const before = useRef(new Map<TextField, string>());
  const noteField = ({ target }: FocusEvent) => {
    const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isText && !before.current.has(target)) before.current.set(target, target.value);
  };
  const wasTypedIn = () =>
    [...before.current].some(
      ([field, value]) => field.isConnected && field.value !== value && field.value.trim() !== "",
    );
  const { asks, leave, stay, discard, noteFocus } = useDiscardQuestion(wasTypedIn, onClose);
  return (
    <Dialog title={title} onClose={leave} isForm>
      <div
        onFocusCapture={(event) => {
          noteField(event);
          noteFocus(event);
        }}
      >
        <Question value={asks ? <DiscardQuestion onDiscard={discard} onStay={stay} /> : undefined}>
          {children(leave)}
        </Question>
      </div>
    </Dialog>
  );
}

/** The buttons of a form in an AskingDialog; an open question replaces them. */
export function FormButtons({ children }: { children: ReactNode }) {
  return useContext(Question) ?? children;
}
