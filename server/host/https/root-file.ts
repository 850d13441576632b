import type { FastifyInstance } from "fastify";
import type { Https } from "./https.ts";
import { ROOT_PATH } from "./root-path.ts";

/** Offers the local authority's root to whoever asks. */
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
