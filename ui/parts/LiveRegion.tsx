import { VisuallyHidden } from "@mantine/core";

/** Said by screen readers when it changes, and not shown. */
export function LiveRegion({ children }: { children: string | undefined }) {
  return <VisuallyHidden role="status">{children}</VisuallyHidden>;
}
