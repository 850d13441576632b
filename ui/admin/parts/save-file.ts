import { Refusal } from "../../api/client.ts";
import { download } from "../../parts/download.ts";

/** Has the browser save what the server answers with as a file, under the server's name. @throws Refusal, or what fetch throws. */
export async function saveFile(path: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw new Refusal(response.status, (await response.json()) as Record<string, unknown>);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  // A blob may be larger than memory: the browser keeps it on disk.
  download(name ?? path.slice(path.lastIndexOf("/") + 1), await response.blob());
}
