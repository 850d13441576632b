/** Also without encryption, since a device needs it before it can trust anything; its fingerprint tells whether it is the right one. */
export const ROOT_PATH = "/hearth-root.crt";
