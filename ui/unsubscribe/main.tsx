import { showPage } from "../parts/show-page.tsx";
import { UnsubscribePage } from "./UnsubscribePage.tsx";

showPage(<UnsubscribePage token={window.location.hash.slice(1)} />);
