import { Refusal } from "../../api/client.ts";
import { loadErrors } from "../../locales/i18n.ts";

/** Uploads a file and returns its URL. Rejects with Refusal, or with another error if the server is unreachable. */
export type SendFile = (file: File, onPercent: (percent: number) => void, signal: AbortSignal) => Promise<string>;

/** Uses XMLHttpRequest, because fetch reports no upload progress. */
export const sendFile: SendFile = (file, onPercent, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set("file", file, file.name);
    request.upload.onprogress = ({ loaded, total }) => onPercent(Math.floor((100 * loaded) / Math.max(total, 1)));
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (answer.url !== undefined) return resolve(answer.url);
      const isRefused = answer.msg !== undefined && !isPassing(request.status);
      const error = isRefused ? new Refusal(request.status, answer) : new Error("no answer");
      void loadErrors()
        .catch(() => {})
        .then(() => reject(error));
    };
    request.onerror = request.onabort = () => reject(new Error("no answer"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", "/api/v1/user_uploads");
    request.setRequestHeader("hearth-error-reason", "1");
    request.send(form);
  });

/** Whether the server is restarting or busy. */
const isPassing = (status: number): boolean => status === 503 || status === 429;

function parsed(text: string): { url?: string; msg?: string } {
  try {
    return JSON.parse(text) as { url?: string; msg?: string };
  } catch {
    return {};
  }
}
