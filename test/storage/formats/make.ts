import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { allFiles } from "../../../server/api/queries/files.ts";
import { migrations } from "../../../server/storage/migrations/index.ts";
import { VERSION } from "../../../server/version.ts";
import { addUpload, backUp, filesBelow, uploadPath } from "../../backups/history.ts";
import { startFurnished } from "../../support/furnished-chat.ts";
import { dump } from "../work.ts";
import { writeFormat } from "./format.ts";

// Creates the fixture of this version (docs/how-to.md#a-release): node test/storage/formats/make.ts

test(`the data of ${VERSION}`, async (t) => {
  const chat = await startFurnished(t);
  const { folder, server } = chat;
  const { store } = server.app;
  addUpload(store, folder, Buffer.from("a picture of the lagoon"));
  const { id } = await chat
    .as("hamlet")
    .post("/messages", { type: "direct", to: [chat.ids["iago"]], content: "To be" });
  await chat.as("hamlet").patch(`/messages/${id}`, { content: "To be, or **not** to be: é, 水, 🎭" });
  await chat.as("iago").post(`/messages/${id}/reactions`, { emoji_name: "tada" });
  await chat.register("hamlet");
  const to = join(folder, "format.tar");
  await backUp(store, folder, to);
  const backup = readFileSync(to).toString("base64");
  const [tables, files] = [dump(store.reader), allFiles(store.reader)];
  const uploads = files.map((file) => [file.name, readFileSync(uploadPath(folder, file)).toString("base64")]);
  await server.close();
  const left = filesBelow(folder).filter((path) => path !== "format.tar" && !path.startsWith("diagnostics"));
  writeFormat({
    version: VERSION,
    schema: migrations.length,
    folder: Object.fromEntries(left.map((path) => [path, readFileSync(join(folder, path)).toString("base64")])),
    backup,
    tables,
    uploads: Object.fromEntries(uploads),
  });
});
