import type { App } from "../app.ts";
import { endpointFor } from "../http/endpoint.ts";
import type { User } from "../queries/users.ts";

/** Declares an endpoint of Hearth: see http/endpoint.ts. */
export const endpoint = endpointFor<App, User>();
