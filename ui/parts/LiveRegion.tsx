import { VisuallyHidden } from "@mantine/core";

/** Invisible text that screen readers announce when it changes. */
export function LiveRegion({ children }: { children: string | undefined }) {
  return <VisuallyHidden role="status">{children}</VisuallyHidden>;
}
