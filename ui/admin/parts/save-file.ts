import { Refusal } from "../../api/client.ts";
import { download } from "../../parts/download.ts";

/** Saves the response as a file, under the server's name. @throws Refusal, or an error of fetch. */
export async function saveFile(path: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw new Refusal(response.status, (await response.json()) as Record<string, unknown>);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  // The browser keeps large blobs on disk.
  download(name ?? path.slice(path.lastIndexOf("/") + 1), await response.blob());
}
