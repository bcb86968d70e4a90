/**
 * What was shown last on pages, told apart by a text. The stamp is another one after each change, also after one that
 * is gone again at the next look: pages that were made in between show it.
 */
interface Shown {
	/** Notes that this is shown now. */
	note(text: string): void;
	stamp(): string;
}

export function createShown(): Shown {
	let last: string | null = null;
	let changes = 0;
	return {
		note(text) {
			if (text !== last) changes += 1;
			last = text;
		},
		stamp: () => String(changes)
	};
}
