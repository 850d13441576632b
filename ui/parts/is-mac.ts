/** Whether keys are written and pressed as on a Mac. */
export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
