import { Refusal } from "../../api/client.ts";
import { sendForm } from "../../api/send-form.ts";
import { loadErrors } from "../../locales/i18n.ts";

/** Uploads a file and returns its URL. Rejects with Refusal, or with another error if the server is unreachable. */
export type SendFile = (file: File, onPercent: (percent: number) => void, signal: AbortSignal) => Promise<string>;

export const sendFile: SendFile = async (file, onPercent, signal) => {
  const form = new FormData();
  form.set("file", file, file.name);
  const onProgress = (sent: number, total: number) => onPercent(Math.floor((100 * sent) / Math.max(total, 1)));
  try {
    const { url } = await sendForm("/api/v1/user_uploads", form, { onProgress, signal });
    return String(url);
  } catch (error) {
    await loadErrors().catch(() => {});
    throw error instanceof Refusal && isPassing(error.status) ? new Error("no answer") : error;
  }
};

/** Whether the server is restarting or busy. */
const isPassing = (status: number): boolean => status === 503 || status === 429;
