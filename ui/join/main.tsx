import { rootElement, showPage } from "../parts/show-page.tsx";
import { OPEN_TO_ALL } from "./invitation.ts";
import { JoinPage } from "./JoinPage.tsx";

// `/join/{token}/`. A link over HTTP is `/join/#{token}`: server/api/endpoints/invitations.ts.
const token = window.location.pathname.split("/")[2] ?? "";
const [, fragment] = /^#([\w-]{20,})$/.exec(window.location.hash) ?? [];

if (token === OPEN_TO_ALL && fragment) window.location.replace(`/join/${fragment}/`);
else showPage(<JoinPage token={token} isInvalid={rootElement().dataset["status"] === "404"} />);
