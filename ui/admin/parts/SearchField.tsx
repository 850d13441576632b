import { TextInput, type TextInputProps } from "@mantine/core";
import { Search } from "lucide-react";
import { useSearchKey } from "./use-search-key.ts";

/** The field in which one searches a page, or a drawer or dialog above it; the key `/` leads to it. */
export function SearchField(props: TextInputProps) {
  const field = useSearchKey();
  return (
    <TextInput
      ref={field}
      aria-keyshortcuts="/"
      size="sm"
      type="search"
      leftSection={<Search size="1rem" aria-hidden="true" />}
      {...props}
    />
  );
}
