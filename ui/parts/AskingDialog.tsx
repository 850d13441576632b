import { createContext, type FocusEvent, type ReactNode, useContext, useRef } from "react";
import { Dialog } from "./Dialog.tsx";
import { DiscardQuestion } from "./DiscardQuestion.tsx";
import { useDiscardQuestion } from "./use-discard-question.ts";

export interface AskingDialogProps {
  title: string;
  /** Closed, sent or not. */
  onClose(): void;
  /**
   * The form, with its buttons in FormButtons. `leave` closes it, as its button for that and Escape and Back do: it asks
   * first if something was typed.
   */
  children(leave: () => void): ReactNode;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** What asks whether to drop what was typed; undefined while nobody is about to. */
const Question = createContext<ReactNode>(undefined);

/** A form in a dialog that asks before what was typed in it is dropped. */
export function AskingDialog({ title, onClose, children }: AskingDialogProps) {
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

/** The buttons of a form in an AskingDialog; in their place the question, while there is one. */
export function FormButtons({ children }: { children: ReactNode }) {
  return useContext(Question) ?? children;
}
