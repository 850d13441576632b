import {
  type SupervisorOptions,
  startSupervisor as startFromSources,
} from "../../server/host/supervisor/supervisor.ts";

/** The production build of the thread, as `npm start` runs it. */
const THREAD = new URL("../../.build/app/thread.js", import.meta.url);

export const startSupervisor: typeof startFromSources = ({ testing, ...options }: SupervisorOptions) =>
  startFromSources({ ...options, testing: { thread: THREAD, ...testing } });
