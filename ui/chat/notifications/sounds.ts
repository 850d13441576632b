/** The notes of each sound: frequency in Hz, start and length in seconds. */
const SOUNDS = {
  zulip: [
    [587, 0, 0.16],
    [880, 0.12, 0.3],
  ],
  ding: [[1318, 0, 0.5]],
  chime: [
    [1046, 0, 0.4],
    [1318, 0.14, 0.4],
    [1568, 0.28, 0.5],
  ],
  friendly: [
    [659, 0, 0.15],
    [784, 0.13, 0.15],
    [988, 0.26, 0.3],
  ],
  subtle: [[523, 0, 0.12]],
  down: [
    [784, 0, 0.2],
    [523, 0.16, 0.3],
  ],
} as const satisfies Record<string, readonly (readonly [number, number, number])[]>;

/** From the public protocol. */
export const SOUND_NAMES = Object.keys(SOUNDS);

const VOLUME = 0.12;
let context: AudioContext | undefined;

/** Plays a sound by its notification_sound name. Browsers play nothing until the user clicks or types on the page. */
export function play(name: string): void {
  if (name === "none") return;
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  void context.resume();
  for (const [frequency, start, length] of SOUNDS[name as keyof typeof SOUNDS] ?? SOUNDS.zulip) {
    const note = context.createOscillator();
    const volume = context.createGain();
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(0, currentTime + start);
    volume.gain.linearRampToValueAtTime(VOLUME, currentTime + start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + start + length);
    note.connect(volume).connect(destination);
    note.start(currentTime + start);
    note.stop(currentTime + start + length);
  }
}
