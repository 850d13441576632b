import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { notificationBot } from "../../server/api/queries/bots.ts";
import { allChannels } from "../../server/api/queries/channels.ts";
import { messageCounts } from "../../server/api/queries/message-index.ts";
import { messageRows } from "../../server/api/queries/messages.ts";
import { organizationSetting } from "../../server/api/queries/organization.ts";
import { isSubscribed } from "../../server/api/queries/subscriptions.ts";
import { userSetting, userSettingDefaults } from "../../server/api/queries/user-settings.ts";
import { passwordHashOf, userByEmail } from "../../server/api/queries/users.ts";
import { passwordHashing } from "../../server/host/credentials/passwords.ts";
import { createSecret } from "../../server/host/credentials/secret-key.ts";
import { initialize } from "../../server/host/first-run/init.ts";
import { openStore } from "../../server/storage/store.ts";
import { temporaryFolder } from "../support/organization.ts";
import { endBeforeRemoval } from "../support/server-process.ts";

const venice = {
  organization: "Venice",
  ownerEmail: "desdemona@example.com",
  ownerName: "Desdemona",
  password: "willow willow",
  testing: { passwordCost: 1024 },
};

test("a new organization's owner can sign in", async (t) => {
  const folder = join(temporaryFolder(t), "data");
  const { ownerId } = await initialize({ folder, ...venice });
  if (process.platform !== "win32") assert.equal(statSync(folder).mode & 0o777, 0o700);
  const store = await openStore({ folder });
  endBeforeRemoval(t, () => store.close());
  const owner = userByEmail(store.reader, "Desdemona@example.com");
  assert.deepEqual([owner?.id, owner?.role], [ownerId, 100]);
  assert.equal(organizationSetting(store.reader, "name"), "Venice");
  assert.match(organizationSetting(store.reader, "email_host"), /\./);
  const hash = owner ? passwordHashOf(store.reader, owner) : null;
  assert.equal(await passwordHashing().verify("willow willow", hash), true);
});

test('a new organization has the channel "general" only on request', async (t) => {
  const folders = [temporaryFolder(t), temporaryFolder(t)] as const;
  await initialize({ folder: folders[0], ...venice });
  const { ownerId } = await initialize({
    folder: folders[1],
    ...venice,
    organization: "*Venice* & sons",
    general: true,
  });
  const [plain, furnished] = [await openStore({ folder: folders[0] }), await openStore({ folder: folders[1] })];
  endBeforeRemoval(t, () => Promise.all([plain.close(), furnished.close()]));
  assert.deepEqual(allChannels(plain.reader), []);
  assert.equal(messageCounts(plain.reader).messages, 0);

  const { reader } = furnished;
  const [general, ...others] = allChannels(reader);
  assert.deepEqual(others, []);
  assert.ok(general);
  assert.deepEqual(
    [general.name, general.is_default, general.invite_only, general.creator_id, general.first_message_id],
    ["general", true, false, ownerId, 1],
  );
  assert.equal(general.rendered_description, `<p>${general.description}</p>`);
  assert.equal(isSubscribed(reader, ownerId, general.id), true);
  const [message] = messageRows(reader, [1]);
  assert.deepEqual([message?.topic, message?.sender_id], ["welcome", notificationBot(reader).id]);
  assert.match(message?.rendered_content ?? "", /<strong>Welcome to \*Venice\* &amp; sons!<\/strong>/);
  assert.equal(messageCounts(reader).messages, 1);
});

test("Enter sends in a new organization", async (t) => {
  for (const general of [false, true]) {
    const folder = temporaryFolder(t);
    const { ownerId } = await initialize({ folder, ...venice, general });
    const store = await openStore({ folder });
    endBeforeRemoval(t, () => store.close());
    assert.equal(userSetting(store.reader, ownerId, "enter_sends"), general);
    assert.equal(userSettingDefaults(store.reader).enter_sends, general);
  }
});

test("a folder with an organization is rejected unchanged", async (t) => {
  const folder = temporaryFolder(t);
  await initialize({ folder, ...venice });
  await assert.rejects(initialize({ folder, ...venice, organization: "Cyprus" }), /already/);
  const store = await openStore({ folder });
  endBeforeRemoval(t, () => store.close());
  assert.equal(organizationSetting(store.reader, "name"), "Venice");
});

test("an interrupted initialization is completed", async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(initialize({ folder, ...venice, ownerEmail: "nobody" }), /email/);
  assert.equal(existsSync(join(folder, "secret.key")), false);
  createSecret(folder);
  await (await openStore({ folder, create: true })).close();
  await initialize({ folder, ...venice });
});
