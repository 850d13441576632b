import { Loader } from "@mantine/core";
import { AuthLayout } from "./AuthLayout.tsx";

export interface StatusPageProps {
  title: string;
  hint?: string;
  busy?: boolean;
}

export function StatusPage({ title, hint, busy }: StatusPageProps) {
  return (
    <AuthLayout title={title} lead={hint}>
      {busy && <Loader type="dots" mt="md" aria-hidden="true" />}
    </AuthLayout>
  );
}
