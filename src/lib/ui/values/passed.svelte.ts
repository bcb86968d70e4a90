import { createSubscriber } from 'svelte/reactivity';

/**
 * Returns the milliseconds since the page was rendered, updated while scripts run. Call during component
 * initialization.
 * @param now returns the time of rendering; the count restarts when it changes
 * @param everyMs update interval
 */
export function passedSince(now: () => number, everyMs: number): { readonly ms: number } {
	let passed = $state(0);
	// A separate derived value, so that reloaded data with the same time does not restart the count.
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

/** Update interval shared by all ages of a page. Milliseconds. */
const AGES_EVERY_MS = 5_000;
const ageing = createSubscriber((update) => {
	const timer = setInterval(update, AGES_EVERY_MS);
	return () => clearInterval(timer);
});

/**
 * Returns the current time, updated every few seconds while scripts run: a stalled chain causes no events,
 * and its last block would appear new forever. Call during component initialization.
 * @param made returns the time of rendering, Unix milliseconds; undefined where no age is shown
 */
export function movingNow<Made extends number | undefined>(
	made: () => Made
): { readonly now: Made | number } {
	// A separate derived value, so that reloaded data with the same time does not restart the clock.
	const from = $derived(made());
	const began = $derived.by(() => {
		void from;
		return performance.now();
	});
	return {
		get now() {
			if (from === undefined) return from;
			ageing();
			// Whole seconds, so that hydration yields the same text as the server.
			return from + Math.floor((performance.now() - began) / 1_000) * 1_000;
		}
	};
}
