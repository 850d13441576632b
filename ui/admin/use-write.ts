import { useMutation } from "@tanstack/react-query";
import { noticeDone, noticeError } from "../parts/settings/notices.tsx";

export interface Write {
  run(): Promise<unknown>;
  /** The toast after success. */
  done?: string;
  undo?: () => Promise<unknown>;
}

/** Writes to the server. Toasts report the result and offer to undo it. */
export const useWrite = () =>
  useMutation({
    mutationFn: ({ run }: Write) => run(),
    onSuccess: (_, { done, undo }) => {
      if (done !== undefined) noticeDone(done, undo);
    },
    onError: (error) => noticeError(error),
  });
