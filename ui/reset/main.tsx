import { showPage } from "../parts/show-page.tsx";
import { ResetPage } from "./ResetPage.tsx";

showPage(<ResetPage token={window.location.hash.slice(1)} />);
