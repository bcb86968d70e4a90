/** Tone of a badge: it selects the color and the icon. */
export type Tone = 'good' | 'wait' | 'bad' | 'unknown';

/** A badge, as properties of `StatusBadge`. */
export interface Badge {
	state: Tone;
	word: string;
}
