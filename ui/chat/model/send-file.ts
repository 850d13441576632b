/** The server refused a file; `message` is the server's. */
export class FileRefused extends Error {}

/** Uploads a file and returns its URL. Rejects with FileRefused, or with another error if the server is unreachable. */
export type SendFile = (file: File, onPercent: (percent: number) => void, signal: AbortSignal) => Promise<string>;

/** Uses XMLHttpRequest, because fetch reports no upload progress. */
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

/** Whether the server is restarting or busy. */
const isPassing = (status: number): boolean => status === 503 || status === 429;

function parsed(text: string): { url?: string; msg?: string } {
  try {
    return JSON.parse(text) as { url?: string; msg?: string };
  } catch {
    return {};
  }
}
