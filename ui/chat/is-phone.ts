import { useMediaQuery } from "@mantine/hooks";

/** As in ChatPage.module.css: where one column is shown at a time, the conversations are a place of their own. */
const PHONE = "(max-width: 47.99em)";

export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) === true;
