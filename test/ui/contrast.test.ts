import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { cssVariables, theme } from "../../ui/theme.ts";

const ui = fileURLToPath(new URL("../../ui", import.meta.url));

/** WCAG 2 AA for text. */
const MIN_CONTRAST = 4.5;

const INK = ["--hearth-ink", "--mantine-color-text", "--mantine-color-gray-light-color"];
const SOFT = ["--hearth-ink-soft", "--mantine-color-dimmed", "--mantine-color-disabled-color"];
const SIGNALS = ["--hearth-good", "--hearth-warn"];
const ACCENTS = ["--hearth-ember-strong", "--mantine-color-anchor", "--mantine-color-ember-light-color"];
const FAINT = ["--mantine-color-placeholder", "--mantine-color-error", "--hearth-bad"];
const ALL = [...INK, ...SOFT, ...SIGNALS, ...ACCENTS, ...FAINT];
/** Mantine's buttons and menu items. */
const BUTTONS = ["red-light-color", "red-outline", "red-text", "ember-outline", "ember-text", "gray-text"].map(
  (name) => `--mantine-color-${name}`,
);

/** The text colors that each background may carry. */
const TEXTS_ON: Readonly<Record<string, readonly string[]>> = {
  "--mantine-color-body": ALL,
  "--hearth-ground": [...ALL, ...BUTTONS],
  "--hearth-surface": [...ALL, ...BUTTONS],
  "--hearth-sunken": ALL,
  "--hearth-hearthstone": ALL,
  "--hearth-ember-wash": ALL,
  "--hearth-warn-wash": ALL,
  "--hearth-bad-wash": ALL,
  "--mantine-color-default": ["--mantine-color-default-color"],
  "--mantine-color-default-hover": ["--mantine-color-default-color"],
  "--mantine-color-gray-light": ["--mantine-color-gray-light-color"],
  "--mantine-color-gray-light-hover": ["--mantine-color-gray-light-color"],
  "--mantine-color-red-light": ["--mantine-color-red-light-color"],
  "--mantine-color-red-light-hover": ["--mantine-color-red-light-color"],
  "--mantine-color-ember-light": [...INK, ...SOFT, ...SIGNALS, ...ACCENTS],
  "--mantine-color-ember-light-hover": ["--mantine-color-ember-light-color"],
  "--mantine-color-ember-filled": ["--hearth-on-filled"],
  "--mantine-color-ember-filled-hover": ["--hearth-on-filled"],
  "--mantine-color-red-filled": ["--hearth-on-filled"],
  "--mantine-color-red-filled-hover": ["--hearth-on-filled"],
  "--hearth-line": [...INK, ...SOFT, ...SIGNALS],
  "--hearth-line-strong": INK,
  "--hearth-ember-line": INK,
  "--hearth-ember-strong": ["--hearth-on-filled"],
  "--hearth-good": ["--hearth-on-filled"],
  "--hearth-warn": ["--hearth-on-filled"],
  "--hearth-bad": ["--hearth-on-filled"],
};

/** Colors of dots, icons, bars of charts, and pictures. No text has or covers them. */
const SHAPES = ["--hearth-bar", "--hearth-edge", "--hearth-ember", "--hearth-kind", "--hearth-qr-paper"];

/** Faint tints below ink, gradients, and logos, which choose their own text color. */
const OTHERS =
  /^(?:inherit|none|transparent|currentcolor)$|gradient\(|color-mix\(in srgb, var\(--hearth-(?:ink\) 4%|good\) 14%), transparent\)|var\(--service-color\)/i;

const themes = ["light", "dark"] as const;

/** The variables of a theme: Mantine's own, then ours. */
function variablesOf(name: (typeof themes)[number]): Record<string, string> {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const [theirs, ours] = [defaultCssVariablesResolver(merged), cssVariables(merged)];
  return { ...theirs.variables, ...theirs[name], ...ours.variables, ...ours[name] };
}

/** Red, green and blue of a variable, which may refer to another. */
function colorOf(variables: Record<string, string>, variable: string): number[] {
  const value = variables[variable] ?? "";
  const reference = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (reference) return colorOf(variables, reference);
  const hex = /^#(..)(..)(..)$/.exec(value)?.slice(1);
  if (hex) return hex.map((channel) => Number.parseInt(channel, 16));
  const rgb = /^rgba\((\d+), (\d+), (\d+), 1\)$/.exec(value)?.slice(1);
  assert.ok(rgb, `${variable} is ${value}`);
  return rgb.map(Number);
}

function luminance(color: number[]): number {
  const [red, green, blue] = color.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number[], other: number[]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

for (const name of themes) {
  test(`text contrasts with its backgrounds: ${name}`, () => {
    const variables = variablesOf(name);
    const pairs = Object.entries(TEXTS_ON).flatMap(([ground, texts]) => texts.map((text) => [text, ground] as const));
    const faint = pairs.flatMap(([text, ground]) => {
      const ratio = contrast(colorOf(variables, text), colorOf(variables, ground));
      return ratio < MIN_CONTRAST ? [`${text} on ${ground}: ${ratio.toFixed(2)}`] : [];
    });
    assert.deepEqual(faint, []);
  });
}

test("style sheets use only checked colors for text and backgrounds", () => {
  const sheets = readdirSync(ui, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
  const checked = new Set([...Object.keys(TEXTS_ON), ...Object.values(TEXTS_ON).flat(), ...SHAPES]);
  const others = sheets.flatMap((file) =>
    [...readFileSync(join(ui, file), "utf8").matchAll(/^\s*(?:color|background(?:-color)?): *([^;]+);/gm)]
      .map(([, value]) => value as string)
      .filter((value) => !OTHERS.test(value) && !checked.has(/^var\((--[\w-]+)\)$/.exec(value)?.[1] ?? ""))
      .map((value) => `${file}: ${value}`),
  );
  assert.deepEqual(others, []);
});
