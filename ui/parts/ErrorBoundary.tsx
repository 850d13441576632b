import { Button } from "@mantine/core";
import i18next from "i18next";
import { Component, type ReactNode } from "react";
import { AuthLayout } from "./AuthLayout.tsx";

/** Replaces the empty window that would be left when a component throws. React offers this only to classes. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <AuthLayout title={i18next.t("app.failed")}>
        <Button onClick={() => window.location.reload()}>{i18next.t("app.reload")}</Button>
      </AuthLayout>
    );
  }
}
