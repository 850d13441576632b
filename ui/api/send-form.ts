import { Refusal } from "./client.ts";

interface Sending {
  /** Gets the bytes that are sent and their total. */
  onProgress(sent: number, total: number): void;
  signal: AbortSignal;
}

/**
 * Posts a form with a file. Uses XMLHttpRequest, because fetch reports no upload progress. Rejects with Refusal, or with
 * TypeError like fetch if the server does not respond.
 */
export const sendForm = (path: string, form: FormData, { onProgress, signal }: Sending) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const response = parsed(request.responseText);
      if (response?.["result"] === "success") resolve(response);
      else reject(response ? new Refusal(request.status, response) : new TypeError("The response is not JSON."));
    };
    request.onerror = request.onabort = () => reject(new TypeError("The server did not respond."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    request.setRequestHeader("hearth-error-reason", "1");
    request.send(form);
  });

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
