import { Loader } from "@mantine/core";
import { Entrance } from "../parts/Entrance.tsx";

export interface WaitingProps {
  title: string;
  hint?: string;
  busy?: boolean;
}

export function Waiting({ title, hint, busy }: WaitingProps) {
  return (
    <Entrance title={title} lead={hint}>
      {busy && <Loader type="dots" mt="md" aria-hidden="true" />}
    </Entrance>
  );
}
