import { Loader } from "@mantine/core";
import { AuthLayout } from "../parts/AuthLayout.tsx";

export interface WaitingProps {
  title: string;
  hint?: string;
  busy?: boolean;
}

export function Waiting({ title, hint, busy }: WaitingProps) {
  return (
    <AuthLayout title={title} lead={hint}>
      {busy && <Loader type="dots" mt="md" aria-hidden="true" />}
    </AuthLayout>
  );
}
