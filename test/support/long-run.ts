/** Whether this is `npm run test:long`, where tests go through more steps, kills and sizes (README, "Change it"). */
export const IS_LONG_RUN = process.env["HEARTH_LONG"] === "1";
