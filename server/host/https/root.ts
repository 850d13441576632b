import type { X509Certificate } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Https } from "./https.ts";

/** Also served without encryption: a device needs the root before it can trust anything, and checks its fingerprint. */
export const ROOT_PATH = "/hearth-root.crt";
/** The root as a configuration profile, the only form that iPhones and iPads install from a link. */
export const PROFILE_PATH = "/hearth-root.mobileconfig";

/** Serves the local authority's root to everyone. */
export function addRoot(fastify: FastifyInstance, https: Https): void {
  fastify.get(ROOT_PATH, (_request, reply) => {
    const { root } = https;
    return root ? send(reply, ROOT_PATH, "application/x-x509-ca-cert", root.toString()) : reply.callNotFound();
  });
  fastify.get(PROFILE_PATH, (_request, reply) => {
    const { root } = https;
    return root ? send(reply, PROFILE_PATH, "application/x-apple-aspen-config", profileOf(root)) : reply.callNotFound();
  });
}

const send = (reply: FastifyReply, path: string, type: string, content: string) =>
  reply
    .type(type)
    .header("content-disposition", `attachment; filename="${path.slice(1)}"`)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .send(content);

/** The name that devices list the root by. */
export const nameOfRoot = ({ subject }: X509Certificate): string => subject.replace(/^CN=/, "");

/** Its ids come from the fingerprint, so that a second installation replaces the first. */
function profileOf(root: X509Certificate): string {
  const digits = root.fingerprint256.replaceAll(":", "");
  const [profileId, rootId] = [uuidOf(digits.slice(0, 32)), uuidOf(digits.slice(32))];
  const name = escaped(nameOfRoot(root));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>hearth.root.${profileId}</string>
  <key>PayloadUUID</key><string>${profileId}</string>
  <key>PayloadDisplayName</key><string>${name}</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>hearth.root.${profileId}.certificate</string>
      <key>PayloadUUID</key><string>${rootId}</string>
      <key>PayloadDisplayName</key><string>${name}</string>
      <key>PayloadCertificateFileName</key><string>${ROOT_PATH.slice(1)}</string>
      <key>PayloadContent</key><data>${root.raw.toString("base64")}</data>
    </dict>
  </array>
</dict>
</plist>
`;
}

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** For the text of XML and HTML, and for attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
