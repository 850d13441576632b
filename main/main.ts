import { app } from "electron";
import { startHost } from "../server/host.ts";

console.log(startHost, app);
