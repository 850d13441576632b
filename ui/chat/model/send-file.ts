/** The server refused a file; the message is its own. */
export class FileRefused extends Error {}

/** Uploads a file and returns its address. Rejects with FileRefused, or with another error where the server did not answer. */
export type SendFile = (file: File, onPercent: (percent: number) => void, signal: AbortSignal) => Promise<string>;

/** By XMLHttpRequest, since fetch reports no progress of what it sends. */
export const sendFile: SendFile = (file, onPercent, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set("file", file, file.name);
    request.upload.onprogress = ({ loaded, total }) => onPercent(Math.floor((100 * loaded) / Math.max(total, 1)));
    request.onload = () => {
      const { url, msg } = parsed(request.responseText);
      if (url !== undefined) resolve(url);
      else reject(msg !== undefined && !isPassing(request.status) ? new FileRefused(msg) : new Error("no answer"));
    };
    request.onerror = request.onabort = () => reject(new Error("no answer"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", "/api/v1/user_uploads");
    request.send(form);
  });

/** Whether the server is starting again, or has no room at this moment. */
const isPassing = (status: number): boolean => status === 503 || status === 429;

function parsed(text: string): { url?: string; msg?: string } {
  try {
    return JSON.parse(text) as { url?: string; msg?: string };
  } catch {
    return {};
  }
}
