import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { type TestContext, test } from "node:test";
import { until } from "../support/patience.ts";
import { call, dataFolder, type Person, serve } from "../support/server-process.ts";
import { filesOnDisk } from "../support/uploads.ts";

const KILLS = 4;

function* formOf(bytes: Buffer): Generator<Buffer> {
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="f.bin"\r\n\r\n');
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
  yield Buffer.from("\r\n--b--\r\n");
}

/** Uploads one file after another until a request fails. Calls back before each upload and with each URL. */
async function uploadOn(
  url: string,
  person: Person,
  bytes: Buffer,
  uploaded: (address: string) => void,
): Promise<void> {
  const headers = { authorization: person.authorization, "content-type": "multipart/form-data; boundary=b" };
  for (;;) {
    const answer = await new Promise<string | undefined>((resolve) => {
      const sending = request(`${url}/api/v1/user_uploads`, { method: "POST", headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        response.on("end", () => resolve(text)).on("error", () => resolve(undefined));
      }).on("error", () => resolve(undefined));
      for (const piece of formOf(bytes)) sending.write(piece);
      sending.end();
    });
    if (answer === undefined) return;
    uploaded(JSON.parse(answer).url);
  }
}

async function killAmidUploads(t: TestContext): Promise<void> {
  const folder = await dataFolder(t);
  const owner = folder.people[0] as Person;
  const bytes = randomBytes(3_000_000);
  const kept: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await serve(t, folder.path, 0);
    assert.deepEqual(
      filesOnDisk({ folder: folder.path }).filter((path) => path.startsWith("incoming")),
      [],
      "a start removes what was unfinished",
    );
    const { attachments } = await call(server.url, owner, "GET /attachments", {});
    const listed = new Set(attachments.map(({ path_id }: { path_id: string }) => `/user_uploads/${path_id}`));
    assert.deepEqual(
      kept.filter((address) => !listed.has(address)),
      [],
      "what was acknowledged is listed",
    );
    for (const address of listed) {
      const response = await fetch(`${server.url}${address}`, { headers: { authorization: owner.authorization } });
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), `${address} is whole`);
    }
    const before = kept.length;
    const uploading = Array.from({ length: 3 }, () =>
      uploadOn(server.url, owner, bytes, (address) => void kept.push(address)),
    );
    await until(() => kept.length > before + kill || undefined, "some uploads");
    await until(
      () => filesOnDisk({ folder: folder.path }).some((path) => path.startsWith("incoming")) || undefined,
      "one under way",
    );
    server.child.kill("SIGKILL");
    await server.ended;
    await Promise.all(uploading);
  }
  assert.ok(kept.length >= KILLS);
}

test("a kill during uploads leaves no partial file and loses no acknowledged one", killAmidUploads);
