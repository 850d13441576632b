import type { FastifyInstance } from "fastify";
import { ApiError } from "./errors.ts";
import { generatedPicture } from "./queries/pictures.ts";

/**
 * What is fetched outside /api and /host, by anyone and uncounted: a list of people asks for hundreds of pictures.
 * Every number has a picture, so none tells whether there is such a user.
 */
export function addPages(fastify: FastifyInstance): void {
  fastify.get<{ Params: { picture: string } }>("/generated/:picture", (request, reply) => {
    const [, name, medium] = /^(user-[1-9]\d{0,15}|organization)(-medium)?\.png$/.exec(request.params.picture) ?? [];
    if (!name) throw new ApiError("BAD_REQUEST", "There is no such picture.", {}, { status: 404 });
    return reply
      .type("image/png")
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("x-content-type-options", "nosniff")
      .send(generatedPicture(name, medium ? "medium" : "small"));
  });
}
