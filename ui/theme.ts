import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from "@mantine/core";
import { filterOptions } from "./parts/folded.ts";

// Hearth's colours, spacing, radii and density. Pages use only Mantine's variables and the `--hearth-…` variables below.

/** System emoji, or else the page's own. They precede text fonts, which contain some emoji in black. */
const EMOJI = '"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';

/** The accent: clay and glow. 7 carries white text; 4 carries dark text. */
const ember: MantineColorsTuple = [
  "#fdf4ee",
  "#fbe6d8",
  "#f6cdb1",
  "#f0b088",
  "#ea9765",
  "#df7b42",
  "#c9622a",
  "#ad4a17",
  "#8d3a10",
  "#6e2d0d",
];
/** Greys with a little brown in them. */
const gray: MantineColorsTuple = [
  "#faf8f5",
  "#f4f1ec",
  "#ebe6df",
  "#ddd6cd",
  "#c4bbb0",
  "#94897d",
  "#6d6359",
  "#544b43",
  "#3a332d",
  "#231e1a",
];
const dark: MantineColorsTuple = [
  "#ede8e2",
  "#dbd4cc",
  "#b5aba0",
  "#8b8177",
  "#5a5149",
  "#433b35",
  "#2c2622",
  "#171412",
  "#120f0e",
  "#0c0a09",
];
const moss: MantineColorsTuple = [
  "#f2f7ee",
  "#e2eeda",
  "#c4dcb5",
  "#a3c88d",
  "#84b56a",
  "#669a4b",
  "#4d7f35",
  "#3c6728",
  "#2f521f",
  "#233e17",
];
const amber: MantineColorsTuple = [
  "#fef8e8",
  "#fdeec6",
  "#fadc8b",
  "#f4c552",
  "#e8ac29",
  "#c98f12",
  "#a2710b",
  "#805807",
  "#664606",
  "#4d3505",
];
const red: MantineColorsTuple = [
  "#fdf1f0",
  "#fbdfdd",
  "#f5bcb8",
  "#ee9791",
  "#e67770",
  "#d9574f",
  "#c03e37",
  "#a32e28",
  "#83241f",
  "#631b17",
];

const mediumRadius = "0.625rem";

export const theme = createTheme({
  primaryColor: "ember",
  primaryShade: { light: 7, dark: 4 },
  // Filled buttons are dark in the light theme and light in the dark theme, so their text colour depends on the theme.
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === "filled" ? { ...colors, color: "var(--hearth-on-filled)" } : colors;
  },
  colors: { ember, gray, dark, moss, amber, red },
  white: "#fffefc",
  black: "#231e1a",
  fontFamily: `"Inter Variable", ${EMOJI}, system-ui, "Segoe UI", Roboto, sans-serif`,
  fontFamilyMonospace: `ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace, ${EMOJI}`,
  fontSizes: { xs: "0.8125rem", sm: "0.9375rem", md: "1rem", lg: "1.125rem", xl: "1.375rem" },
  headings: {
    fontWeight: "620",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  spacing: { xxs: "0.25rem", xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2.5rem" },
  radius: { xs: "0.25rem", sm: "0.375rem", md: mediumRadius, lg: "1rem", xl: "1.5rem" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: {
      defaultProps: { size: "md" },
      // Buttons grow with their text, which can contain long names.
      styles: {
        root: { fontWeight: 560, height: "auto", minHeight: "var(--button-height)", maxWidth: "100%" },
        // Centres the label in links that look like buttons.
        inner: { minHeight: "calc(var(--button-height) - 0.125rem)" },
        // `anywhere` would shrink the label to a letter's width and break words without need.
        label: { lineHeight: 1.3, whiteSpace: "normal", overflowWrap: "break-word", paddingBlock: "0.25em" },
      },
    },
    TextInput: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    NumberInput: { defaultProps: { size: "md" } },
    // Enter chooses the first match, as in Hearth's own pickers.
    Select: { defaultProps: { size: "md", filter: filterOptions, selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { size: "md", filter: filterOptions, selectFirstOptionOnChange: true } },
    InputWrapper: {
      styles: {
        label: { fontWeight: 560, fontSize: "var(--mantine-font-size-sm)", marginBlockEnd: "0.25rem" },
        description: {
          fontSize: "var(--mantine-font-size-xs)",
          lineHeight: 1.5,
          color: "var(--hearth-ink-soft)",
          marginBlockEnd: "0.125rem",
        },
        error: { fontSize: "var(--mantine-font-size-xs)", lineHeight: 1.5 },
      },
    },
    ModalRoot: { defaultProps: { centered: true } },
    // Modal.Root and its parts take their styles from this entry.
    Modal: {
      styles: { content: { background: "var(--hearth-surface)", borderRadius: "var(--mantine-radius-lg)" } },
    },
    ModalOverlay: { defaultProps: { backgroundOpacity: 0.45 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--hearth-page-width": "76rem",
    "--hearth-page-width-wide": "104rem",
    "--hearth-form-width": "30rem",
    "--hearth-gap": "clamp(1.25rem, 0.9rem + 1.6vw, 2.5rem)",
    /** Padding above and below each line of a list: the density of the pages. */
    "--hearth-row": "0.625rem",
    "--hearth-round": "999px",
    "--hearth-semibold": "560",
    "--hearth-bold": "620",
    "--hearth-tight": "-0.012em",
    "--hearth-tighter": "-0.026em",
    "--hearth-quick": "140ms",
    "--hearth-calm": "320ms",
    // Cameras read QR codes dark on light, so both themes use the same colours.
    "--hearth-qr-ink": "#1c1815",
    "--hearth-qr-paper": "#ffffff",
  },
  light: {
    "--mantine-color-body": gray[0],
    "--mantine-color-text": gray[9],
    "--mantine-color-dimmed": gray[6],
    "--mantine-color-disabled-color": gray[6],
    "--mantine-color-placeholder": "#776c61",
    "--mantine-color-error": red[6],
    "--mantine-color-anchor": ember[7],
    "--mantine-color-ember-light": ember[1],
    "--mantine-color-ember-light-hover": ember[2],
    "--mantine-color-ember-light-color": ember[8],
    "--mantine-color-gray-light-color": gray[8],
    "--hearth-on-filled": "#fffefc",
    "--mantine-color-default-border": gray[4],
    "--hearth-ground": gray[0],
    "--hearth-surface": "#fffefc",
    "--hearth-sunken": gray[1],
    "--hearth-ink": gray[9],
    "--hearth-ink-soft": gray[6],
    "--hearth-line": gray[2],
    "--hearth-line-strong": gray[3],
    "--hearth-edge": "#8f8478",
    "--hearth-hearthstone": gray[1],
    "--hearth-glow": "rgb(234 151 101 / 38%)",
    "--hearth-glow-soft": "rgb(234 151 101 / 22%)",
    "--hearth-ember": ember[5],
    "--hearth-ember-strong": ember[7],
    "--hearth-ember-wash": ember[0],
    "--hearth-ember-line": ember[2],
    "--hearth-bar": ember[5],
    "--hearth-bar-now": ember[7],
    "--hearth-good": moss[7],
    "--hearth-warn": amber[7],
    "--hearth-warn-wash": amber[0],
    "--hearth-warn-line": amber[2],
    "--hearth-bad": red[6],
    "--hearth-bad-wash": red[0],
    "--hearth-bad-line": red[2],
    "--hearth-shadow-small": "0 1px 2px rgb(58 40 24 / 16%)",
    "--hearth-shadow": "0 1px 2px rgb(58 40 24 / 6%), 0 8px 28px rgb(58 40 24 / 6%)",
  },
  dark: {
    "--mantine-color-body": dark[7],
    "--mantine-color-text": dark[0],
    "--mantine-color-dimmed": dark[2],
    "--mantine-color-disabled-color": dark[2],
    "--mantine-color-placeholder": "#94897f",
    "--mantine-color-error": red[3],
    "--mantine-color-anchor": ember[3],
    "--mantine-color-ember-light": "#3a2518",
    "--mantine-color-ember-light-hover": "#4a2e1d",
    "--mantine-color-ember-light-color": ember[3],
    "--mantine-color-gray-light-color": dark[0],
    "--hearth-on-filled": "#1c1310",
    "--mantine-color-default": "#211d1a",
    "--mantine-color-default-hover": dark[6],
    "--mantine-color-default-border": dark[4],
    "--hearth-ground": dark[7],
    "--hearth-surface": "#1f1b18",
    "--hearth-sunken": "#120f0e",
    "--hearth-ink": dark[0],
    "--hearth-ink-soft": dark[2],
    "--hearth-line": "#2e2824",
    "--hearth-line-strong": dark[5],
    "--hearth-edge": "#85796e",
    "--hearth-hearthstone": "#130f0d",
    "--hearth-glow": "rgb(201 98 42 / 34%)",
    "--hearth-glow-soft": "rgb(201 98 42 / 22%)",
    "--hearth-ember": ember[5],
    "--hearth-ember-strong": ember[3],
    "--hearth-ember-wash": "#2a1d15",
    "--hearth-ember-line": "#5b3620",
    "--hearth-bar": "#8d5433",
    "--hearth-bar-now": ember[4],
    "--hearth-good": moss[3],
    "--hearth-warn": amber[3],
    "--hearth-warn-wash": "#2a2212",
    "--hearth-warn-line": "#5a4617",
    "--hearth-bad": red[3],
    "--hearth-bad-wash": "#2e1a18",
    "--hearth-bad-line": "#64302b",
    "--hearth-shadow-small": "0 1px 2px rgb(0 0 0 / 40%)",
    "--hearth-shadow": "0 1px 2px rgb(0 0 0 / 40%), 0 8px 28px rgb(0 0 0 / 25%)",
  },
});
