import { showPage } from "../parts/show-page.tsx";
import { NotFoundPage } from "./NotFoundPage.tsx";

showPage(<NotFoundPage />);
