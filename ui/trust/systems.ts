import type { SketchProps, SketchRow } from "./Sketch.tsx";

/** Firefox has a store of its own. On phones it uses the system's. */
export const SYSTEMS = ["windows", "mac", "ios", "android", "linux", "firefox"] as const;
export type System = (typeof SYSTEMS)[number];

/** The reader's system, from what the browser says about itself. */
export function systemOf({ userAgent, maxTouchPoints }: { userAgent: string; maxTouchPoints: number }): System {
  // An iPad claims to be a Mac.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return "ios";
  if (/Android/.test(userAgent)) return "android";
  if (/Firefox\//.test(userAgent)) return "firefox";
  if (/Windows/.test(userAgent)) return "windows";
  return /Macintosh/.test(userAgent) ? "mac" : "linux";
}

const CERTIFICATE = { path: "/hearth-root.crt", label: "trust.download" } as const;
const PROFILE = { path: "/hearth-root.mobileconfig", label: "trust.downloadProfile" } as const;

type Guide = {
  download: typeof CERTIFICATE | typeof PROFILE;
  frame: SketchProps["frame"];
  steps: readonly {
    title: `trust.${string}`;
    hint: `trust.${string}`;
    /** A text "name" is the name of the root. */
    sketch: { title: `trust.${string}`; rows: readonly SketchRow[] };
  }[];
};

export const GUIDES = {
  windows: {
    download: CERTIFICATE,
    frame: "window",
    steps: [
      {
        title: "trust.windows.open",
        hint: "trust.windows.openHint",
        sketch: {
          title: "trust.windows.certificate",
          rows: [
            { kind: "text", text: "name" },
            { kind: "button", text: "trust.windows.install", isTarget: true },
          ],
        },
      },
      {
        title: "trust.windows.store",
        hint: "trust.windows.storeHint",
        sketch: {
          title: "trust.windows.wizard",
          rows: [
            { kind: "radio-off", text: "trust.windows.automatic" },
            { kind: "radio-on", text: "trust.windows.following" },
            { kind: "field", text: "trust.windows.roots", isTarget: true },
          ],
        },
      },
      {
        title: "trust.windows.confirm",
        hint: "trust.windows.confirmHint",
        sketch: {
          title: "trust.windows.warning",
          rows: [
            { kind: "text", text: "trust.windows.question" },
            { kind: "button", text: "trust.windows.yes", isTarget: true },
          ],
        },
      },
    ],
  },
  mac: {
    download: CERTIFICATE,
    frame: "window",
    steps: [
      {
        title: "trust.mac.open",
        hint: "trust.mac.openHint",
        sketch: {
          title: "trust.mac.addTitle",
          rows: [
            { kind: "field", text: "trust.mac.keychain" },
            { kind: "button", text: "trust.mac.add", isTarget: true },
          ],
        },
      },
      {
        title: "trust.mac.find",
        hint: "trust.mac.findHint",
        sketch: {
          title: "trust.mac.app",
          rows: [
            { kind: "text", text: "trust.mac.keychain" },
            { kind: "link", text: "name", isTarget: true },
          ],
        },
      },
      {
        title: "trust.mac.trust",
        hint: "trust.mac.trustHint",
        sketch: {
          title: "trust.mac.trustTitle",
          rows: [
            { kind: "text", text: "trust.mac.using" },
            { kind: "field", text: "trust.mac.always", isTarget: true },
          ],
        },
      },
    ],
  },
  ios: {
    download: PROFILE,
    frame: "phone",
    steps: [
      {
        title: "trust.ios.allow",
        hint: "trust.ios.allowHint",
        sketch: {
          title: "trust.ios.safari",
          rows: [
            { kind: "text", text: "trust.ios.question" },
            { kind: "button", text: "trust.ios.allowButton", isTarget: true },
          ],
        },
      },
      {
        title: "trust.ios.install",
        hint: "trust.ios.installHint",
        sketch: {
          title: "trust.ios.settings",
          rows: [{ kind: "link", text: "trust.ios.downloaded", isTarget: true }],
        },
      },
      {
        title: "trust.ios.trust",
        hint: "trust.ios.trustHint",
        sketch: {
          title: "trust.ios.trustTitle",
          rows: [{ kind: "switch-on", text: "name", isTarget: true }],
        },
      },
    ],
  },
  android: {
    download: CERTIFICATE,
    frame: "phone",
    steps: [
      {
        title: "trust.android.find",
        hint: "trust.android.findHint",
        sketch: {
          title: "trust.android.title",
          rows: [
            { kind: "link", text: "trust.android.ca", isTarget: true },
            { kind: "link", text: "trust.android.vpn" },
            { kind: "link", text: "trust.android.wifi" },
          ],
        },
      },
      {
        title: "trust.android.install",
        hint: "trust.android.installHint",
        sketch: {
          title: "trust.android.warning",
          rows: [
            { kind: "button", text: "trust.android.anyway", isTarget: true },
            { kind: "button", text: "trust.android.dont" },
          ],
        },
      },
    ],
  },
  linux: {
    download: CERTIFICATE,
    frame: "window",
    steps: [
      {
        title: "trust.linux.open",
        hint: "trust.linux.openHint",
        sketch: {
          title: "trust.linux.address",
          rows: [{ kind: "link", text: "trust.linux.installed", isTarget: true }],
        },
      },
      {
        title: "trust.linux.import",
        hint: "trust.linux.importHint",
        sketch: {
          title: "trust.linux.installed",
          rows: [
            { kind: "text", text: "trust.linux.trusted" },
            { kind: "button", text: "trust.linux.importButton", isTarget: true },
          ],
        },
      },
    ],
  },
  firefox: {
    download: CERTIFICATE,
    frame: "window",
    steps: [
      {
        title: "trust.firefox.open",
        hint: "trust.firefox.openHint",
        sketch: {
          title: "trust.firefox.settings",
          rows: [{ kind: "button", text: "trust.firefox.view", isTarget: true }],
        },
      },
      {
        title: "trust.firefox.import",
        hint: "trust.firefox.importHint",
        sketch: {
          title: "trust.firefox.authorities",
          rows: [{ kind: "button", text: "trust.firefox.importButton", isTarget: true }],
        },
      },
      {
        title: "trust.firefox.trust",
        hint: "trust.firefox.trustHint",
        sketch: {
          title: "trust.firefox.downloading",
          rows: [{ kind: "check-on", text: "trust.firefox.websites", isTarget: true }],
        },
      },
    ],
  },
} as const satisfies Record<System, Guide>;
