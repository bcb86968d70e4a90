import { createSubscriber } from 'svelte/reactivity';

/**
 * The milliseconds since the page was made, told anew while scripts run. For the top of a component.
 * @param now the moment when the page was made; the count begins again when it changes
 * @param everyMs between two looks
 */
export function passedSince(now: () => number, everyMs: number): { readonly ms: number } {
	let passed = $state(0);
	// Of its own, so that data which comes again with the same moment begins nothing anew.
	const made = $derived(now());
	$effect(() => {
		const began = performance.now();
		passed = 0;
		void made;
		const timer = setInterval(() => (passed = performance.now() - began), everyMs);
		return () => clearInterval(timer);
	});
	return {
		get ms() {
			return passed;
		}
	};
}

/** Between two looks at the clock, one for all ages of a page. Milliseconds. */
const AGES_EVERY_MS = 5_000;
const ageing = createSubscriber((update) => {
	const timer = setInterval(update, AGES_EVERY_MS);
	return () => clearInterval(timer);
});

/**
 * The moment that it is now, told anew every few seconds while scripts run: nothing happens on a chain that stands
 * still, and a page that waits for news would call its last block new for ever. For the top of a component.
 * @param made the moment when the page was made, Unix milliseconds; undefined where no age is shown
 */
export function movingNow<Made extends number | undefined>(
	made: () => Made
): { readonly now: Made | number } {
	// Of its own, so that data which comes again with the same moment begins nothing anew.
	const from = $derived(made());
	const began = $derived.by(() => {
		void from;
		return performance.now();
	});
	return {
		get now() {
			if (from === undefined) return from;
			ageing();
			// Whole seconds, so that the first look in the browser says what the server wrote.
			return from + Math.floor((performance.now() - began) / 1_000) * 1_000;
		}
	};
}
