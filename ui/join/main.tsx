import { rootElement, showPage } from "../parts/show-page.tsx";
import { JoinPage } from "./JoinPage.tsx";

// `/join/{token}/`
const token = window.location.pathname.split("/")[2] ?? "";

showPage(<JoinPage token={token} isInvalid={rootElement().dataset["status"] === "404"} />);
