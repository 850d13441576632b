import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { signatureHeaders } from "../../server/integrations/outgoing/payload.ts";
import { NODE_VERIFIER, PYTHON_VERIFIER, SIGNATURE_HEADERS } from "../../ui/admin/pages/webhooks/verifiers.ts";

type Headers = Record<string, string>;
type Verifier = (secret: string, headers: Headers, body: string) => boolean;

const secret = `whsec_${Buffer.from("a key of thirty-two bytes or so.").toString("base64")}`;
const body = '{"data":"Grüße"}';
const now = () => Math.floor(Date.now() / 1000);
const signed = (timestamp = now(), by = secret) => signatureHeaders(by, { id: "msg_1", timestamp, body });

const verifiers: Record<string, () => Promise<Verifier>> = {
  async "Node.js"() {
    const module = `${NODE_VERIFIER}\nexport { isFromHearth };`;
    const { isFromHearth } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    return isFromHearth as Verifier;
  },
  async Python() {
    return (...given) => {
      const program = `${PYTHON_VERIFIER}
import json, sys
secret, headers, body = json.load(sys.stdin)
print(is_from_hearth(secret, headers, body.encode()))`;
      const answer = execFileSync("python3", ["-c", program], { input: JSON.stringify(given), encoding: "utf8" });
      return answer.trim() === "True";
    };
  },
};

for (const [name, make] of Object.entries(verifiers)) {
  const program = name === "Python" ? "python3" : process.execPath;
  const skip = spawnSync(program, ["--version"]).error !== undefined && `there is no ${name}`;
  test(`the verifier for ${name} accepts only Hearth's signatures`, { skip }, async () => {
    const verify = await make();
    assert.equal(verify(secret, signed(), body), true);
    assert.equal(verify(secret, signed(), `${body} `), false, "another body");
    assert.equal(verify(secret, signed(now(), `whsec_${Buffer.from("other").toString("base64")}`), body), false);
    assert.equal(verify(secret, signed(now() - 400), body), false, "an old one");
    assert.equal(verify(secret, { ...signed(), "webhook-id": "msg_2" }, body), false, "another id");
    assert.equal(verify(secret, {}, body), false, "no signature");
  });
}

test("the page and docs/ show the same lines and headers", () => {
  const docs = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
  assert.ok(docs.includes(`\`\`\`js\n${NODE_VERIFIER}\`\`\``));
  assert.deepEqual(Object.keys(signed()).sort(), SIGNATURE_HEADERS.map(([header]) => header).sort());
});
