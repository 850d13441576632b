/** Hearth's logo: a flame that speaks. The same drawing as pictures/icon.svg. `width` is a CSS length. */
export function Logo({ width }: { width: string }) {
  return (
    <svg width={width} style={{ aspectRatio: "54 / 60" }} viewBox="6 2 54 60" aria-hidden="true">
      <path
        fill="var(--hearth-ember)"
        d="M35 5C36 14 52.5 21 52.5 38.5C52.5 49.8 43.4 58.5 32 58.5C28.7 58.5 25.6 57.8 22.8 56.5L14.6 58.9C13.5 59.2 12.5 58.2 12.8 57.1L15 49.6C12.8 46.4 11.5 42.6 11.5 38.5C11.5 30.6 16 25.8 19.6 21.2C20.6 24.6 22.2 26.2 24.6 27.2C24.2 18.2 28 10 35 5Z"
      />
      <path
        fill="var(--hearth-surface)"
        d="M33.2 30.5C34 35.4 41.2 37.8 41.2 44.6C41.2 49.4 37.2 53 32.1 53C27 53 23 49.5 23 44.8C23 40.6 25.9 38.6 27.4 35.6C28.2 37.4 29.1 38.2 30.3 38.6C30.1 35.2 31 32.4 33.2 30.5Z"
      />
    </svg>
  );
}
