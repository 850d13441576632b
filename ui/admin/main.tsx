import "@mantine/core/styles.css";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("root") as HTMLElement).render(<MantineProvider>Hearth</MantineProvider>);
