import type { FastifyInstance } from "fastify";
import type { Https } from "./https.ts";

/** Also served without encryption: a device needs the root before it can trust anything, and checks its fingerprint. */
export const ROOT_PATH = "/hearth-root.crt";

/** Serves the local authority's root to everyone. */
export function addRoot(fastify: FastifyInstance, https: Https): void {
  fastify.get(ROOT_PATH, (_request, reply) => {
    const root = https.rootFile;
    if (root === undefined) return reply.callNotFound();
    return reply
      .type("application/x-x509-ca-cert")
      .header("content-disposition", 'attachment; filename="hearth-root.crt"')
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .send(root);
  });
}
