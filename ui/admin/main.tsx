import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";

showPage(<App desktop={window.hearth} />);
