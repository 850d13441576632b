import { Text } from "@mantine/core";
import { Fragment } from "react";

/** A certificate's fingerprint: pairs of digits with colons, broken between pairs only. */
export function Fingerprint({ children }: { children: string }) {
  return (
    <Text component="bdi" inherit ff="monospace" dir="ltr" style={{ overflowWrap: "normal" }}>
      {children.split(":").map((byte, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bytes have a fixed order
        <Fragment key={index}>
          {index > 0 && ":"}
          <wbr />
          {byte}
        </Fragment>
      ))}
    </Text>
  );
}
