import { Callout } from "./Callout.tsx";
import { errorMessage } from "./error-messages.ts";

/** Why the last attempt failed; nothing without an error. */
export const ErrorCallout = ({ error }: { error: unknown }) =>
  error ? (
    <Callout tone="error" role="alert">
      {errorMessage(error)}
    </Callout>
  ) : null;
