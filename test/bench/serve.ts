import { startSupervisor } from "../../server/host/supervisor/supervisor.ts";

// `hearth serve` with a checkpoint after the given number of bytes of log.
const [dataFolder = "", checkpointAfter] = process.argv.slice(2);
const host = await startSupervisor({
  dataFolder,
  host: "127.0.0.1",
  port: 0,
  rateLimit: "off",
  testing: { checkpointAfter: Number(checkpointAfter) },
  report: (line) => console.error(line),
});
process.once("SIGTERM", () => void host.stop().then(() => process.exit()));
console.log(`answers at ${host.url}`);
