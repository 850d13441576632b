import { Button } from "@mantine/core";
import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useAdmin } from "../admin-context.ts";
import classes from "./PageLink.module.css";

export interface ChatLinkProps {
  /** Of the chat page: see chat-address.ts. */
  address: string;
  children: ReactNode;
}

/** A link to the chat page. At the desktop, where nobody is signed in to the chat, only what it says. */
export function ChatLink({ address, children }: ChatLinkProps) {
  const { session } = useAdmin();
  return session.at_desktop ? (
    children
  ) : (
    <a className={classes.link} href={address}>
      {children}
    </a>
  );
}

/** The same as a button, which is not there at the desktop. */
export function ChatButton({ address, children }: ChatLinkProps) {
  const { session } = useAdmin();
  if (session.at_desktop) return null;
  return (
    <Button
      component="a"
      href={address}
      variant="default"
      size="compact-sm"
      mb="sm"
      leftSection={<MessagesSquare size="0.9375rem" aria-hidden="true" />}
    >
      {children}
    </Button>
  );
}
